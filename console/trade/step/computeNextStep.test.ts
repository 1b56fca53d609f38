import { describe, expect, test } from 'vitest'
import { sampleDraft } from '../../testing/sampleDraft.ts'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import type { Draft } from '../draft/draft.ts'
import { computeNextStep } from './computeNextStep.ts'

const wrapped = { address: '0x0e', symbol: 'WETH', decimals: 18 }
const native = { address: nativeSentinel, symbol: 'ETH', decimals: 18 }
const network = { chainId: 5, label: 'Five', wrappedNative: wrapped.address }
const ready = {
  isLoading: false,
  signed: { sellAmount: 100n, buyAmount: 200n },
  isRequesting: false,
  wallet: { chainId: 5 },
  network,
  holding: { balance: 100n, allowance: 100n },
  isReadingBalances: false,
  abilities: { isContract: false, hasBatches: false },
  hasPermit: false,
  wrappedAllowance: undefined,
}
const step = (changes: Partial<Parameters<typeof computeNextStep>[0]>, terms: Partial<Draft> = {}) =>
  computeNextStep({ ...ready, ...changes, draft: sampleDraft(terms) })
const wait = (why: RegExp) => ({ do: 'wait', why: expect.stringMatching(why) })

describe('computeNextStep', () => {
  test('signs when everything is complete', () => {
    expect(step({})).toEqual({ do: 'sign' })
  })

  test('names missing values one after the other', () => {
    expect(step({ isLoading: true })).toEqual(wait(/tokens/))
    expect(step({}, { sell: undefined })).toEqual(wait(/to sell/))
    expect(step({}, { buy: undefined })).toEqual(wait(/to buy/))
    expect(step({}, { amount: undefined })).toEqual(wait(/an amount/))
    expect(step({}, { faults: { receiver: 'no address' } })).toEqual(wait(/errors/))
    expect(step({}, { type: 'limit' })).toEqual(wait(/price/))
  })

  test('needs a wallet on the network, then an offer', () => {
    expect(step({ wallet: null, signed: undefined })).toEqual({ do: 'connect' })
    expect(step({ wallet: { chainId: 1 } })).toEqual({ do: 'switchChain' })
    expect(step({ isRequesting: true })).toEqual(wait(/Fetching/))
    expect(step({ signed: undefined })).toEqual(wait(/No price/))
  })

  test('needs the balance and its approval', () => {
    expect(step({ holding: { balance: 99n, allowance: 0n } })).toEqual({ do: 'fund', available: 99n, needed: 100n })
    expect(step({ holding: { balance: 100n, allowance: 99n } })).toEqual({ do: 'approve', needed: 100n })
    expect(step({ holding: { balance: 1n, allowance: 100n } }, { isPartiallyFillable: true })).toEqual({ do: 'sign' })
    expect(step({ holding: { balance: 0n, allowance: 100n } }, { isPartiallyFillable: true })).toEqual({
      do: 'fund',
      available: 0n,
      needed: 1n,
    })
  })

  test('signs the approval where the token takes permits', () => {
    const short = { holding: { balance: 100n, allowance: 99n }, hasPermit: true }
    expect(step(short)).toEqual({ do: 'permit', needed: 100n })
    expect(step({ hasPermit: true })).toEqual({ do: 'sign' })
    // fewer confirmations than a batch
    expect(step({ ...short, abilities: { isContract: false, hasBatches: true } })).toEqual({
      do: 'permit',
      needed: 100n,
    })
  })

  test('approves and signs by one transaction where the wallet has batches', () => {
    const abilities = { isContract: false, hasBatches: true }
    const holding = { balance: 100n, allowance: 99n }
    expect(step({ abilities, holding })).toEqual({ do: 'presign', approval: 100n })
    // a signature is free
    expect(step({ abilities })).toEqual({ do: 'sign' })
  })

  test('wraps, approves and signs by one transaction', () => {
    const facts = { abilities: { isContract: false, hasBatches: true }, holding: { balance: 100n, allowance: 0n } }
    const sell = native
    expect(step(facts, { sell })).toEqual({ do: 'presign', approval: 100n, wrap: 100n })
    expect(step({ ...facts, wrappedAllowance: 99n }, { sell })).toEqual({ do: 'presign', approval: 100n, wrap: 100n })
    expect(step({ ...facts, wrappedAllowance: 100n }, { sell })).toEqual({ do: 'presign', approval: null, wrap: 100n })
    expect(step({ ...facts, holding: { balance: 99n, allowance: 0n } }, { sell })).toMatchObject({ do: 'fund' })
  })

  test('a contract signs by a transaction, after its approval or together with it', () => {
    const abilities = { isContract: true, hasBatches: false }
    const short = { holding: { balance: 100n, allowance: 99n }, hasPermit: true }
    expect(step({ abilities })).toEqual({ do: 'presign', approval: null })
    expect(step({ abilities, holding: undefined })).toEqual({ do: 'presign', approval: null })
    expect(step({ abilities, ...short })).toEqual({ do: 'approve', needed: 100n })
    expect(step({ abilities: { ...abilities, hasBatches: true }, ...short })).toEqual({ do: 'presign', approval: 100n })
    expect(step({ abilities: undefined })).toEqual(wait(/account/))
  })

  test('sells the native token by a transaction, without an approval', () => {
    const holding = { balance: 100n, allowance: 0n }
    expect(step({ holding }, { sell: native })).toEqual({ do: 'transact', route: 'native' })
    expect(step({ holding: undefined }, { sell: native })).toEqual({ do: 'transact', route: 'native' })
    expect(step({ signed: undefined }, { sell: native })).toEqual(wait(/No price/))
    expect(step({ holding: { ...holding, balance: 99n } }, { sell: native, isPartiallyFillable: true })).toEqual({
      do: 'fund',
      available: 99n,
      needed: 100n,
    })
  })

  test('wraps and unwraps without an offer and without a price', () => {
    const facts = { signed: undefined, isRequesting: true }
    const amount = { amount: 100n, type: 'limit' } as const
    expect(step(facts, { sell: native, buy: wrapped, ...amount })).toEqual({ do: 'transact', route: 'wrap' })
    expect(step(facts, { sell: wrapped, buy: native, ...amount })).toEqual({ do: 'transact', route: 'unwrap' })
    expect(step(facts, { sell: native, buy: wrapped, ...amount, amount: 101n })).toEqual({
      do: 'fund',
      available: 100n,
      needed: 101n,
    })
  })

  test('leaves unknown balances to the order book', () => {
    expect(step({ holding: undefined })).toEqual({ do: 'sign' })
  })

  test('waits for balances on their way, whatever the next step', () => {
    const reading = { holding: undefined, isReadingBalances: true }
    expect(step(reading)).toEqual(wait(/balances/))
    expect(step({ ...reading, abilities: { isContract: true, hasBatches: false } })).toEqual(wait(/balances/))
    expect(step(reading, { sell: native })).toEqual(wait(/balances/))
    expect(step(reading, { sell: native, buy: wrapped })).toEqual(wait(/balances/))
    expect(step({ ...reading, wallet: null })).toEqual({ do: 'connect' })
    expect(step({ ...reading, isRequesting: true })).toEqual(wait(/Fetching/))
  })
})

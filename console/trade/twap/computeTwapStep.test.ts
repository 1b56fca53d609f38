import { describe, expect, test } from 'vitest'
import { sampleDraft } from '../../testing/sampleDraft.ts'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import type { Draft } from '../draft/draft.ts'
import { computeTwapStep } from './computeTwapStep.ts'

const setUp = { fallbackHandler: '0x01', verifier: '0x02' }
const signed = { sellAmount: 100n, buyAmount: 200n }
const ready = {
  parts: 4,
  isLoading: false,
  signed,
  isRequesting: false,
  networkCost: 5n,
  wallet: { chainId: 5 },
  network: { chainId: 5, label: 'Five', wrappedNative: '0x0e' },
  holding: { balance: 400n, allowance: 0n },
  abilities: { isContract: true, hasBatches: true },
  setUp,
}
const step = (changes: Partial<Parameters<typeof computeTwapStep>[0]> = {}, terms: Partial<Draft> = {}) =>
  computeTwapStep({ ...ready, ...changes, draft: sampleDraft(terms) })
const wait = (why: RegExp) => ({ do: 'wait', why: expect.stringMatching(why) })

describe('computeTwapStep', () => {
  test('a Safe with the amount of all parts creates it', () => {
    expect(step()).toEqual({ do: 'create', setUp, signed })
    expect(step({ holding: { balance: 399n, allowance: 0n } })).toEqual({ do: 'fund', available: 399n, needed: 400n })
  })

  test('an account that is no Safe and does not delegate learns why before it types amounts', () => {
    const key = { isContract: false, hasBatches: true }
    expect(step({ abilities: key, setUp: null }, { amount: undefined })).toEqual({ do: 'explain', account: 'key' })
    expect(step({ abilities: key })).toMatchObject({ do: 'create' })
    expect(step({ setUp: null }, { amount: undefined })).toEqual({ do: 'explain', account: 'contract' })
    expect(step({ abilities: key, setUp: null, wallet: { chainId: 6 } })).toEqual({ do: 'switchChain' })
  })

  test('the network cost takes at most a twentieth of a part', () => {
    expect(step({ networkCost: 6n })).toEqual({ do: 'enlarge', minimum: 120n })
  })

  test('names what is missing', () => {
    expect(step({}, { sell: undefined })).toEqual(wait(/to sell/))
    expect(step({ wallet: null })).toEqual({ do: 'connect' })
    expect(step({ setUp: undefined })).toEqual(wait(/your account/))
    expect(step({ isRequesting: true })).toEqual(wait(/price/))
    expect(step({ signed: undefined })).toEqual(wait(/No price/))
    expect(step({ signed: { ...signed, buyAmount: 0n } })).toEqual(wait(/too small/))
    expect(step({ holding: undefined })).toEqual(wait(/balances/))
  })

  test('the native token is not wrapped in parts', () => {
    const native = { address: nativeSentinel, symbol: 'ETH', decimals: 18 }
    expect(step({}, { sell: native, buy: { ...native, address: '0x0e' } })).toEqual(wait(/Swap/))
    expect(step({}, { sell: native })).toMatchObject({ do: 'create' })
  })
})

import { describe, expect, test } from 'vitest'
import { sampleDraft } from '../../testing/sampleDraft.ts'
import type { Draft } from '../draft/draft.ts'
import { computeNextStep } from './computeNextStep.ts'

const network = { chainId: 5, label: 'Five' }
const ready = {
  isLoading: false,
  signed: { sellAmount: 100n, buyAmount: 200n },
  isRequesting: false,
  wallet: { chainId: 5 },
  network,
  holding: { balance: 100n, allowance: 100n },
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

  test('leaves unknown balances to the order book', () => {
    expect(step({ holding: undefined })).toEqual({ do: 'sign' })
  })
})

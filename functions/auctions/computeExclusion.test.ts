import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Candidate } from '#schema/queries/solvableOrders.ts'
import { filledOrder } from '#test/helpers/filledOrder.ts'
import { computeBalanceExclusion, computePriceExclusion, computeStaticExclusion } from './computeExclusion.ts'

const settlementContract: Address = `0x${'90'.repeat(20)}`
const { owner, sellToken, buyToken } = filledOrder

const candidate = (changes: Partial<Candidate['order']> = {}, inFlight = false): Candidate => ({
  order: { ...filledOrder, executedSellAmount: 0n, executedBuyAmount: 0n, executedFee: 0n, ...changes },
  inFlight,
  entered: false,
  newestLabel: null,
  newestReason: null,
})
const holds = (balance: bigint) => new Map([[`${owner}:${sellToken}`, balance]])
const excludeByBalance = (changes: Partial<Candidate['order']>, balance: bigint) =>
  computeBalanceExclusion(candidate(changes), settlementContract, holds(balance))?.reason

describe('computeStaticExclusion', () => {
  it('leaves out what is not pre-signed and what is in flight, the latter first', () => {
    expect(computeStaticExclusion(candidate())).toBeUndefined()
    expect(computeStaticExclusion(candidate({ signingScheme: 'presign', presigned: true }))).toBeUndefined()
    expect(computeStaticExclusion(candidate({ signingScheme: 'presign' }))).toEqual({
      label: 'invalid',
      reason: 'invalid_signature',
    })
    expect(computeStaticExclusion(candidate({ signingScheme: 'presign' }, true))).toEqual({
      label: 'filtered',
      reason: 'in_flight',
    })
  })
})

describe('computeBalanceExclusion', () => {
  it('asks a fill-or-kill order for all of its sell amount and fee', () => {
    expect(excludeByBalance({ feeAmount: 5n }, 1005n)).toBeUndefined()
    expect(excludeByBalance({ feeAmount: 5n }, 1004n)).toBe('insufficient_balance')
    expect(computeBalanceExclusion(candidate(), settlementContract, new Map())?.reason).toBe('insufficient_balance')
  })

  it('asks a partially fillable order for a part that is worth an atom on both sides', () => {
    const partiallyFillable = true
    expect(excludeByBalance({ partiallyFillable }, 1n)).toBeUndefined()
    expect(excludeByBalance({ partiallyFillable }, 0n)).toBe('insufficient_balance')
    expect(excludeByBalance({ partiallyFillable, buyAmount: 500n }, 1n)).toBe('dust_order')
    expect(excludeByBalance({ partiallyFillable, buyAmount: 500n }, 2n)).toBeUndefined()
    expect(excludeByBalance({ partiallyFillable, buyAmount: 500n, executedSellAmount: 999n }, 9999n)).toBe('dust_order')
    expect(excludeByBalance({ partiallyFillable, kind: 'buy', executedBuyAmount: 1999n }, 9999n)).toBe('dust_order')
    expect(excludeByBalance({ partiallyFillable, kind: 'buy', executedBuyAmount: 1998n }, 1n)).toBeUndefined()
  })

  it('trusts contracts and whoever pays within the settlement, but sees dust', () => {
    expect(excludeByBalance({ signingScheme: 'eip1271' }, 0n)).toBeUndefined()
    expect(excludeByBalance({ receiver: settlementContract }, 0n)).toBeUndefined()
    expect(excludeByBalance({ signingScheme: 'eip1271', partiallyFillable: true }, 0n)).toBe('dust_order')
  })
})

describe('computePriceExclusion', () => {
  it('wants a price of both tokens', () => {
    const both = new Map([
      [sellToken, 1n],
      [buyToken, 1n],
    ])
    expect(computePriceExclusion(candidate(), both)).toBeUndefined()
    for (const token of [sellToken, buyToken]) {
      const one = new Map(both)
      one.delete(token)
      expect(computePriceExclusion(candidate(), one)?.reason).toBe('missing_native_price')
    }
  })
})

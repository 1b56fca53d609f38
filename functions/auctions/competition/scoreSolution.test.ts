import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'
import { toPair } from '#shared/solvers/toTradedPair.ts'
import { type Proposal, scoreSolution } from './scoreSolution.ts'

const a: Address = `0x${'0a'.repeat(20)}`
const b: Address = `0x${'0b'.repeat(20)}`
const wei = 10n ** 18n
const noFees = new Map()
/** Every order is in the auction. */
const listed = { orders: { has: () => true }, jitOrderOwners: new Set<Address>() }

const propose = (...orders: SolutionOrder[]): Proposal => ({
  solver: a,
  solutionId: 1,
  orders: new Map(orders.map((order, i) => [`0x${i}`, order])),
})

const sell = { side: 'sell', sellToken: a, buyToken: b, limitSell: 100n, limitBuy: 200n } as const
const buy = { side: 'buy', sellToken: b, buyToken: a, limitSell: 100n, limitBuy: 50n } as const

describe('scoreSolution', () => {
  test('values surplus over the limit in the native token, per directed pair and in total', () => {
    const prices = new Map([
      [a, 4n * wei],
      [b, 3n * wei],
    ])
    const solution = propose(
      // 10 buy atoms above ⌈100 · 200 / 100⌉, worth 3 wei each
      { ...sell, executedSell: 100n, executedBuy: 210n },
      // half executed: limit 100, got 101
      { ...sell, executedSell: 50n, executedBuy: 101n },
      // 20 sell atoms below ⌊100 · 50 / 50⌋ are ⌊20 · 50 / 100⌋ = 10 buy atoms, worth 4 wei each
      { ...buy, executedSell: 80n, executedBuy: 50n },
    )
    const { score, pairScores } = scoreSolution(solution, { prices, feePolicies: noFees, ...listed })
    expect(pairScores).toEqual(
      new Map([
        [toPair(a, b), 33n],
        [toPair(b, a), 40n],
      ]),
    )
    expect(score).toBe(73n)
  })

  test('discards a solution whose total score overflows', () => {
    const most = { ...sell, executedSell: 100n, executedBuy: 2n ** 256n - 1n }
    const rules = { prices: new Map([[b, wei]]), feePolicies: noFees, ...listed }
    expect(scoreSolution(propose(most), rules).score).toBe(2n ** 256n - 201n)
    expect(() => scoreSolution(propose(most, most), rules)).toThrow(RangeError)
  })

  test('scores an order at its limit with 0', () => {
    const solution = propose({ ...sell, executedSell: 100n, executedBuy: 200n })
    expect(scoreSolution(solution, { prices: new Map([[b, wei]]), feePolicies: noFees, ...listed }).score).toBe(0n)
  })

  test('adds back the fees of the policies: fees count as surplus for every recipient', () => {
    const feePolicies = new Map<Hex, FeePolicy[]>([
      ['0x0', [{ kind: 'volume', factor: 0.1 }]],
      ['0x1', [{ kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.9 }]],
    ])
    const solution = propose(
      // of 300 the fee took 30: surplus 70 and 30
      { ...sell, executedSell: 100n, executedBuy: 270n },
      // of a surplus of 40 the fee took half: ⌊40 · 50 / 100⌋ buy atoms
      { ...buy, executedSell: 80n, executedBuy: 50n },
    )
    const prices = new Map([a, b].map((token) => [token, wei]))
    const { pairScores, protocolFees } = scoreSolution(solution, { prices, feePolicies, ...listed })
    expect([...pairScores.values()]).toEqual([100n, 20n])
    expect([...protocolFees]).toEqual([
      ['0x0', [30n]],
      ['0x1', [20n]],
    ])
  })

  test('rejects an order below its limit even if fees explain it', () => {
    const below = propose({ ...sell, executedSell: 100n, executedBuy: 190n })
    const feePolicies = new Map<Hex, FeePolicy[]>([['0x0', [{ kind: 'volume', factor: 0.1 }]]])
    expect(() => scoreSolution(below, { prices: new Map([[b, wei]]), feePolicies, ...listed })).toThrow(
      '10 below its limit',
    )
  })

  test('discards a solution with an order below its limit, or without a price for a buy token', () => {
    const below = propose(
      { ...sell, executedSell: 100n, executedBuy: 210n },
      { ...sell, executedSell: 100n, executedBuy: 199n },
    )
    expect(() => scoreSolution(below, { prices: new Map([[b, wei]]), feePolicies: noFees, ...listed })).toThrow(
      RangeError,
    )
    const fine = propose({ ...sell, executedSell: 100n, executedBuy: 210n })
    expect(() => scoreSolution(fine, { prices: new Map([[a, wei]]), feePolicies: noFees, ...listed })).toThrow(
      'its buy token has no price',
    )
  })

  test('scores just-in-time orders of listed owners only', () => {
    const uidOf = (owner: Address): Hex => packOrderUid(`0x${'00'.repeat(32)}`, owner, 1)
    const fair = { ...sell, executedSell: 100n, executedBuy: 210n }
    const solution = (...uids: Hex[]) => ({ solver: a, solutionId: 1, orders: new Map(uids.map((uid) => [uid, fair])) })
    const prices = new Map([[b, wei]])
    const rules = { prices, feePolicies: noFees, orders: new Set<Hex>(['0x0']), jitOrderOwners: new Set([a]) }
    expect(scoreSolution(solution('0x0', uidOf(b)), rules).score).toBe(10n)
    expect(scoreSolution(solution('0x0', uidOf(a)), rules).score).toBe(20n)
    expect(scoreSolution(solution(uidOf(a)), rules).score).toBe(10n)
    expect(() => scoreSolution(solution(uidOf(b)), rules)).toThrow('none of its orders scores')
    const worthless = new Map([[a, wei]])
    expect(() => scoreSolution(solution('0x0'), { ...rules, prices: worthless })).toThrow('no price')
  })
})

import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import type { SolutionOrder } from '#shared/solvers/driverApi.ts'
import { type Proposal, scoreSolution, toPair } from './scoreSolution.ts'

const a: Address = `0x${'0a'.repeat(20)}`
const b: Address = `0x${'0b'.repeat(20)}`
const wei = 10n ** 18n

const propose = (...orders: SolutionOrder[]): Proposal => ({
  solver: a,
  solutionId: 1,
  orders: new Map(orders.map((order, i) => [`0x${i}`, order])),
})

const sell = { side: 'sell', sellToken: a, buyToken: b, limitSell: 100n, limitBuy: 200n } as const
const buy = { side: 'buy', sellToken: b, buyToken: a, limitSell: 100n, limitBuy: 50n } as const

describe('scoreSolution', () => {
  it('values surplus over the limit in the native token, per directed pair and in total', () => {
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
    const { score, pairScores } = scoreSolution(solution, prices)
    expect(pairScores).toEqual(
      new Map([
        [toPair(a, b), 33n],
        [toPair(b, a), 40n],
      ]),
    )
    expect(score).toBe(73n)
  })

  it('scores an order at its limit with nothing', () => {
    const solution = propose({ ...sell, executedSell: 100n, executedBuy: 200n })
    expect(scoreSolution(solution, new Map([[b, wei]])).score).toBe(0n)
  })

  it('discards a solution with an order below its limit, or without a price for a buy token', () => {
    const below = propose(
      { ...sell, executedSell: 100n, executedBuy: 210n },
      { ...sell, executedSell: 100n, executedBuy: 199n },
    )
    expect(() => scoreSolution(below, new Map([[b, wei]]))).toThrow(RangeError)
    const fine = propose({ ...sell, executedSell: 100n, executedBuy: 210n })
    expect(() => scoreSolution(fine, new Map([[a, wei]]))).toThrow('its buy token has no price')
  })
})

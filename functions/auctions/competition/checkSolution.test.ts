import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ProposedSolution, SolutionOrder } from '#shared/solvers/driverApi.ts'
import type { Certainty } from '../book/computeCertainty.ts'
import { checkSolution } from './checkSolution.ts'
import type { AuctionedOrder } from './findExecutionFault.ts'

const solver: Address = `0x${'51'.repeat(20)}`
const a: Address = `0x${'0a'.repeat(20)}`
const b: Address = `0x${'0b'.repeat(20)}`
const uid: Hex = `0x${'11'.repeat(56)}`

const sellOrder: AuctionedOrder = {
  kind: 'sell',
  partiallyFillable: false,
  sellToken: a,
  buyToken: b,
  sellAmount: 100n,
  buyAmount: 201n,
  feeAmount: 0n,
  executedSellAmount: 0n,
  executedBuyAmount: 0n,
  executedFeeAmount: 0n,
}
const buyOrder: AuctionedOrder = { ...sellOrder, kind: 'buy' }
const partial = { partiallyFillable: true, executedSellAmount: 45n, executedFeeAmount: 5n, executedBuyAmount: 90n }

const check = (order: AuctionedOrder, execution: Partial<SolutionOrder>, changes: Partial<ProposedSolution> = {}) =>
  checkSolution(
    {
      solutionId: 1,
      submissionAddress: solver,
      score: 0n,
      orders: {
        [uid]: {
          side: order.kind,
          sellToken: a,
          buyToken: b,
          limitSell: 100n,
          limitBuy: 201n,
          executedSell: 100n,
          executedBuy: 201n,
          ...execution,
        },
      },
      ...changes,
    },
    solver,
    { orders: new Map([[uid, { ...order, owner: solver }]]), excluded: new Set(), certainty: new Map() },
  )

describe('checkSolution', () => {
  test.each<[string, AuctionedOrder, Partial<SolutionOrder>]>([
    ['a sell order at its limit', sellOrder, {}],
    ['a sell order above it', sellOrder, { executedBuy: 500n }],
    ['a buy order below its most', buyOrder, { executedSell: 1n }],
    ['all that is left of a partial sell', { ...sellOrder, ...partial }, { executedSell: 60n, executedBuy: 121n }],
    ['an atom of a partial sell', { ...sellOrder, ...partial }, { executedSell: 1n, executedBuy: 3n }],
    ['all that is left of a partial buy', { ...buyOrder, ...partial }, { executedSell: 55n, executedBuy: 111n }],
    ['a sell order with its signed fee on top', { ...sellOrder, feeAmount: 7n }, { executedSell: 107n }],
    ['a buy order with its signed fee on top', { ...buyOrder, feeAmount: 7n }, { executedSell: 107n }],
    [
      'a part of a sell order with the fee of that part, rounded down',
      { ...sellOrder, ...partial, feeAmount: 7n },
      { executedSell: 53n, executedBuy: 101n },
    ],
    [
      'a part of a buy order with the fee of that part, rounded down',
      { ...buyOrder, ...partial, feeAmount: 7n },
      { executedSell: 53n, executedBuy: 101n },
    ],
  ])('accepts %s', (_, order, execution) => {
    expect(() => check(order, execution)).not.toThrow()
  })

  test.each<[string, AuctionedOrder, Partial<SolutionOrder>, string]>([
    ['another side', sellOrder, { side: 'buy' }, 'side buy'],
    ['another sell token', sellOrder, { sellToken: b }, 'tokens differ'],
    ['another buy token', sellOrder, { buyToken: a }, 'tokens differ'],
    ['another sell limit', sellOrder, { limitSell: 99n }, 'limits differ'],
    ['another buy limit', sellOrder, { limitBuy: 1n }, 'limits differ'],
    ['nothing sold', buyOrder, { executedSell: 0n }, 'nothing executed'],
    ['nothing bought', { ...sellOrder, ...partial }, { executedSell: 1n, executedBuy: 0n }, 'nothing executed'],
    ['part of a fill-or-kill sell', sellOrder, { executedSell: 50n }, 'fill-or-kill'],
    ['part of a fill-or-kill buy', buyOrder, { executedBuy: 200n }, 'fill-or-kill'],
    ['more than is sold', sellOrder, { executedSell: 101n, executedBuy: 300n }, 'remaining 100'],
    [
      'more than is left to sell',
      { ...sellOrder, ...partial },
      { executedSell: 61n, executedBuy: 300n },
      'remaining 60',
    ],
    ['more than is left to buy', { ...buyOrder, ...partial }, { executedSell: 1n, executedBuy: 112n }, 'remaining 111'],
    ['a sell below its limit', sellOrder, { executedBuy: 200n }, '1 below its limit'],
    ['a part rounded against the owner', { ...sellOrder, ...partial }, { executedSell: 1n, executedBuy: 2n }, 'below'],
    ['a buy above its most', buyOrder, { executedSell: 101n }, '1 below its limit'],
    ['a sell without its signed fee', { ...sellOrder, feeAmount: 7n }, {}, 'executes 94 of 100, fill-or-kill'],
    ['a sell with more than its signed fee', { ...sellOrder, feeAmount: 7n }, { executedSell: 108n }, 'remaining 100'],
    [
      'a sell below its limit beside its signed fee',
      { ...sellOrder, feeAmount: 7n },
      { executedSell: 107n, executedBuy: 200n },
      '1 below its limit',
    ],
    [
      'an amount that no part of a sell with its signed fee makes',
      { ...sellOrder, ...partial, feeAmount: 100n },
      { executedSell: 53n, executedBuy: 101n },
      'sells 53, with its signed fee 27 make 54',
    ],
    ['a buy above its most beside its signed fee', { ...buyOrder, feeAmount: 7n }, { executedSell: 108n }, '1 below'],
    [
      'a buy that pays its signed fee alone',
      { ...buyOrder, feeAmount: 7n },
      { executedSell: 7n },
      'sells 7, its signed fee is 7',
    ],
  ])('rejects %s', (_, order, execution, message) => {
    expect(() => check(order, execution)).toThrow(message)
  })

  const checkJit = (execution: Partial<SolutionOrder>, { count = 1, excluded = [] as Hex[] } = {}) => {
    const jit = { ...terms, limitBuy: 200n, ...execution }
    const uids = Array.from({ length: count }, (_, i): Hex => `0x${i.toString(16).padStart(112, '0')}`)
    const orders = Object.fromEntries(uids.map((other) => [other, jit]))
    checkSolution({ solutionId: 1, submissionAddress: solver, score: 0n, orders }, solver, {
      orders: new Map(),
      excluded: new Set(excluded),
      certainty: new Map(),
    })
  }
  const terms = {
    side: 'sell',
    sellToken: a,
    buyToken: b,
    limitSell: 100n,
    executedSell: 50n,
    executedBuy: 100n,
  } as const

  test('accepts just-in-time orders within their limits, fifty at most', () => {
    expect(() => checkJit({}, { count: 50 })).not.toThrow()
    expect(() => checkJit({}, { count: 51 })).toThrow('51 just-in-time orders')
    expect(() => checkJit({ executedBuy: 99n })).toThrow('1 below its limit')
    expect(() => checkJit({ executedSell: 101n, executedBuy: 500n })).toThrow('executes 101, signed 100')
    expect(() => checkJit({ side: 'buy', executedSell: 1n, executedBuy: 201n })).toThrow('executes 201, signed 200')
    expect(() => checkJit({ executedSell: 0n })).toThrow('nothing executed')
  })

  test('rejects an uncertain or split order beside an order of another owner, not beside others of its owner and just-in-time orders', () => {
    const [other, jit]: Hex[] = [`0x${'22'.repeat(56)}`, `0x${'33'.repeat(56)}`]
    const execution = { ...terms, limitBuy: 201n, executedSell: 100n, executedBuy: 201n }
    const checkTogether = (uids: Hex[], certainty: [Hex, Certainty][], owners: Address[] = [a, b]) =>
      checkSolution(
        {
          solutionId: 1,
          submissionAddress: solver,
          score: 0n,
          orders: Object.fromEntries(uids.map((own) => [own, execution])),
        },
        solver,
        {
          orders: new Map([uid, other as Hex].map((own, i) => [own, { ...sellOrder, owner: owners[i] as Address }])),
          excluded: new Set(),
          certainty: new Map(certainty),
        },
      )
    const message = `order ${uid} must be settled without orders of other owners`
    expect(() => checkTogether([uid, other as Hex], [])).not.toThrow()
    for (const certainty of ['uncertain', 'split'] as const) {
      expect(() => checkTogether([uid, other as Hex], [[uid, certainty]])).toThrow(message)
      expect(() => checkTogether([other as Hex, uid], [[uid, certainty]])).toThrow(message)
      expect(() => checkTogether([uid, other as Hex], [[uid, certainty]], [a, a])).not.toThrow()
      expect(() => checkTogether([uid, jit as Hex], [[uid, certainty]])).not.toThrow()
      expect(() => checkTogether([other as Hex, jit as Hex], [[uid, certainty]])).not.toThrow()
    }
  })

  test('rejects another account, an order of the book that is not in the auction, and no orders at all', () => {
    expect(() => check(sellOrder, {}, { submissionAddress: a })).toThrow('submission address')
    expect(() => check(sellOrder, {}, { orders: {} })).toThrow('no orders')
    expect(() => checkJit({}, { excluded: [`0x${'0'.repeat(112)}`] })).toThrow('not in the auction')
  })
})

import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { DecodedSettlement, DecodedTrade } from '../../settlement/decodeSettlement.ts'
import { attributeSettlement } from './attributeSettlement.ts'

const solver: Address = `0x${'51'.repeat(20)}`
const first: Hex = `0x${'11'.repeat(56)}`
const second: Hex = `0x${'22'.repeat(56)}`
const third: Hex = `0x${'33'.repeat(56)}`
const token: Address = `0x${'70'.repeat(20)}`
const winner = {
  auctionId: 7,
  solutionUid: 2,
  solver,
  ...{ startBlock: 10, deadlineBlock: 15 },
  orders: [
    { uid: second, executedSell: 30n, executedBuy: 40n, protocolFees: [], isJit: false },
    { uid: first, executedSell: 10n, executedBuy: 20n, protocolFees: [{ token, amount: '5' }], isJit: false },
  ],
}
const trades = [
  { orderUid: first, sellAmount: 10n, buyAmount: 20n },
  { orderUid: second, sellAmount: 30n, buyAmount: 40n },
]
const decoded: DecodedSettlement = {
  auctionId: 7n,
  trades: [{ feeInSellToken: 1n } as DecodedTrade, { feeInSellToken: 3n } as DecodedTrade],
}

const attribute = (changes: object, winners = [winner], isListed: (uid: Hex) => boolean = () => true) =>
  attributeSettlement({ solver, blockNumber: 20, decoded, trades, ...changes }, winners, isListed)
const amounts = (sellAmount: string, buyAmount: string) => ({ sellAmount, buyAmount })

describe('attributeSettlement', () => {
  test('finds the winning solution and the fee of each order, in any sequence of its orders', () => {
    expect(attribute({}, [{ ...winner, auctionId: 6 }, winner])).toEqual({
      winner,
      executedFees: [
        { orderUid: first, executedFee: 1n, protocolFees: [{ token, amount: '5' }] },
        { orderUid: second, executedFee: 3n, protocolFees: [] },
      ],
      mismatch: [],
    })
  })

  test.each([
    ['calldata without an id after the deadline', { decoded: { ...decoded, auctionId: undefined } }],
    ['calldata of something else', { decoded: undefined }],
    ['another auction', { decoded: { ...decoded, auctionId: 8n } }],
    ['another solver', { solver: `0x${'52'.repeat(20)}` as Address }],
    ['only other orders', { trades: trades.map((trade) => ({ ...trade, orderUid: third })) }],
    ['calldata with other trades than the events', { decoded: { ...decoded, trades: decoded.trades.slice(1) } }],
  ])('takes %s for foreign', (_, changes) => {
    expect(attribute(changes)).toBeUndefined()
  })

  test.each([
    ['without an id', undefined],
    ['of another auction', 8n],
  ])('attributes calldata %s to the attempt that runs at its block, with what it lacks', (_, auctionId) => {
    const short = trades.map((trade) => ({ ...trade, buyAmount: 1n }))
    const settle = (blockNumber: number) =>
      attribute({ decoded: { ...decoded, auctionId }, trades: short, blockNumber }, [winner])
    for (const blockNumber of [11, 15]) {
      expect(settle(blockNumber)).toMatchObject({ winner, mismatch: [{ orderUid: second }, { orderUid: first }] })
    }
    for (const blockNumber of [10, 16]) expect(settle(blockNumber)).toBeUndefined()
  })

  const [one, two] = trades
  test.each([
    ['less bought', [{ ...one, buyAmount: 19n }, two], [[first, amounts('10', '20'), amounts('10', '19')]]],
    ['more sold', [{ ...one, sellAmount: 11n }, two], [[first, amounts('10', '20'), amounts('11', '20')]]],
    [
      'a smaller part',
      [{ ...one, sellAmount: 5n, buyAmount: 10n }, two],
      [[first, amounts('10', '20'), amounts('5', '10')]],
    ],
    [
      'a larger part at a worse rate',
      [{ ...one, sellAmount: 20n, buyAmount: 39n }, two],
      [[first, amounts('10', '20'), amounts('20', '39')]],
    ],
    ['an order left out', [two], [[first, amounts('10', '20'), amounts('0', '0')]]],
    ['one order twice', [one, one], [[second, amounts('30', '40'), amounts('0', '0')]]],
    [
      'an order of the book that it did not win',
      [one, two, { ...one, orderUid: third }],
      [[third, null, amounts('10', '20')]],
    ],
  ])('attributes a settlement with %s and records both amounts', (_, settled, expected) => {
    const fees = settled.map(() => ({ feeInSellToken: 1n }) as DecodedTrade)
    const attribution = attribute({ trades: settled, decoded: { ...decoded, trades: fees } })
    expect(attribution?.winner).toBe(winner)
    expect(attribution?.mismatch).toEqual(
      expected.map(([orderUid, promised, paid]) => ({ orderUid, promised, settled: paid })),
    )
  })

  test.each([
    ['more bought', [{ ...one, buyAmount: 21n }, two]],
    ['less sold', [{ ...one, sellAmount: 9n }, two]],
    ['a larger part at the same rate', [{ ...one, sellAmount: 20n, buyAmount: 40n }, two]],
    [
      'the promised amounts in two parts',
      [{ ...one, sellAmount: 5n, buyAmount: 10n }, { ...one, sellAmount: 5n, buyAmount: 10n }, two],
    ],
  ])('takes a settlement with %s for one as promised', (_, settled) => {
    const fees = settled.map(() => ({ feeInSellToken: 1n }) as DecodedTrade)
    expect(attribute({ trades: settled, decoded: { ...decoded, trades: fees } })?.mismatch).toEqual([])
  })

  test('allows an order that is not in the book, and sums the fees of one that trades twice', () => {
    const settled = [one, one, two, { ...one, orderUid: third }]
    const fees = [1n, 2n, 3n, 4n].map((feeInSellToken) => ({ feeInSellToken }) as DecodedTrade)
    const attribution = attribute({ trades: settled, decoded: { ...decoded, trades: fees } }, [winner], () => false)
    expect(attribution?.mismatch).toEqual([])
    expect(attribution?.executedFees.map(({ executedFee }) => executedFee)).toEqual([3n, 3n, 4n])
  })

  test('prefers the solution that is settled as promised, then the one that shares most orders', () => {
    const [of1, of2] = winner.orders
    const single = { ...winner, solutionUid: 3, orders: of2 ? [of2] : [] }
    const other = { ...winner, solutionUid: 4, orders: of1 ? [of1] : [] }
    const settledOne = { trades: [one], decoded: { ...decoded, trades: decoded.trades.slice(1) } }
    expect(attribute(settledOne, [winner, other, single])?.winner).toBe(single)
    const short = {
      trades: [
        { ...one, buyAmount: 1n },
        { ...two, buyAmount: 1n },
      ],
    }
    expect(attribute(short, [single, other, winner])?.winner).toBe(winner)
  })
})

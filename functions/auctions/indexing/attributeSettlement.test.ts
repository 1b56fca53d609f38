import type { Address, Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { DecodedSettlement, DecodedTrade } from '#shared/solvers/decodeSettlement.ts'
import { attributeSettlement } from './attributeSettlement.ts'

const solver: Address = `0x${'51'.repeat(20)}`
const first: Hex = `0x${'11'.repeat(56)}`
const second: Hex = `0x${'22'.repeat(56)}`
const token: Address = `0x${'70'.repeat(20)}`
const winner = {
  auctionId: 7,
  solutionUid: 2,
  solver,
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

describe('attributeSettlement', () => {
  it('finds the winning solution and the fee of each order, whatever the order of its orders', () => {
    expect(attributeSettlement({ solver, decoded, trades }, [{ ...winner, auctionId: 6 }, winner])).toEqual({
      winner,
      executedFees: [
        { orderUid: first, executedFee: 1n, protocolFees: [{ token, amount: '5' }] },
        { orderUid: second, executedFee: 3n, protocolFees: [] },
      ],
    })
  })

  it.each([
    ['calldata without an id', { decoded: { ...decoded, auctionId: undefined } }],
    ['calldata of something else', { decoded: undefined }],
    ['another auction', { decoded: { ...decoded, auctionId: 8n } }],
    ['another solver', { solver: `0x${'52'.repeat(20)}` as Address }],
    ['an order less', { trades: trades.slice(1), decoded: { ...decoded, trades: decoded.trades.slice(1) } }],
    ['another order', { trades: [{ ...trades[0], orderUid: `0x${'33'.repeat(56)}` as Hex }, trades[1]] }],
    ['another sold amount', { trades: [{ ...trades[0], sellAmount: 11n }, trades[1]] }],
    ['another bought amount', { trades: [{ ...trades[0], buyAmount: 21n }, trades[1]] }],
    ['one order twice', { trades: [trades[0], trades[0]] }],
  ])('takes %s for foreign', (_, changes) => {
    const settled = { solver, decoded, trades, ...changes } as Parameters<typeof attributeSettlement>[0]
    expect(attributeSettlement(settled, [winner])).toBeUndefined()
  })
})

import { expect, test } from 'vitest'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
import { chargeProtocolFees } from './chargeProtocolFees.ts'

const half = 2n ** 128n

// the settlement contract multiplies limits with executed amounts and reverts above 256 bits
test.each([
  ['sellAmount · executedBuy', { sellAmount: half, buyAmount: 1n }, { executedSell: 1n, executedBuy: half }],
  ['buyAmount · executedSell', { sellAmount: 1n, buyAmount: half }, { executedSell: half, executedBuy: 1n }],
])('an order is left out when %s takes more than 256 bits', (_, limits, executed) => {
  const order = { ...auctionOrder, ...limits }
  expect(chargeProtocolFees(order, executed)).toBeUndefined()
  const { executedSell, executedBuy } = executed
  const fitting = executedBuy > 1n ? { executedSell, executedBuy: half - 1n } : { executedSell: half - 1n, executedBuy }
  expect(chargeProtocolFees(order, fitting)).toEqual(fitting)
})

test.each([
  { executedSell: 0n, executedBuy: 1n },
  { executedSell: 1n, executedBuy: 0n },
])('an order that gives or gets nothing is left out: %o', (executed) => {
  expect(chargeProtocolFees(auctionOrder, executed)).toBeUndefined()
})

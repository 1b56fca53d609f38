import { expect, test } from 'vitest'
import { sampleOrder } from '../../testing/sampleOrder.ts'
import { computeFilledShare } from './computeFilledShare.ts'

const filled = {
  sellAmount: '100',
  buyAmount: '40',
  executedSellAmount: '52',
  executedSellAmountBeforeFees: '50',
  executedBuyAmount: '21',
}

test('the filled part of a sell order is its sold amount without the signed fee, which is not part of the sell amount', () => {
  expect(computeFilledShare(sampleOrder({ ...filled, kind: 'sell' }))).toEqual({ filled: 50n, of: 100n })
})

test('the filled part of a buy order is its bought amount', () => {
  expect(computeFilledShare(sampleOrder({ ...filled, kind: 'buy' }))).toEqual({ filled: 21n, of: 40n })
})

import { expect, test } from 'vitest'
import { ApiFailure } from '../../api/ApiFailure.ts'
import type { TradablePair } from '../draft/tradableToken.ts'
import { describeMinimum } from './describeMinimum.ts'

const pair = { sell: { address: '0x01', symbol: 'WETH', decimals: 18 } } as TradablePair
const refuse = (data: Record<string, unknown>) =>
  new ApiFailure('too small', { status: 400, errorType: 'SellAmountDoesNotCoverFee', data, requestId: null })

test('a size that is too small names the least one in whole tokens', () => {
  expect(describeMinimum(refuse({ minSellAmount: '123400000000000' }), pair)).toBe('Sell at least 0.0001234 WETH.')
})

test('other failures name none', () => {
  expect(describeMinimum(refuse({}), pair)).toBeUndefined()
  expect(describeMinimum(refuse({ minSellAmount: 'x' }), pair)).toBeUndefined()
  expect(describeMinimum(null, pair)).toBeUndefined()
})

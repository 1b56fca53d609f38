import { expect, test } from 'vitest'
import { computeFees } from './computeFees.ts'

const rung = (sellAmount: string, buyAmount: string) => ({ sellAmount, buyAmount })

test('a sell order receives less by its fees', () => {
  const amounts = {
    beforeAllFees: rung('1000', '2000'),
    afterNetworkFee: rung('1000', '1990'),
    afterProtocolFee: rung('1000', '1985'),
    afterPartnerFee: rung('1000', '1983'),
    afterSlippage: rung('1000', '1970'),
  }
  expect(computeFees({ amounts, kind: 'sell' })).toBe(7n)
})

test('a buy order pays more by its fees', () => {
  const amounts = {
    beforeAllFees: rung('1000', '2000'),
    afterNetworkFee: rung('1012', '2000'),
    afterProtocolFee: rung('1012', '2000'),
    afterPartnerFee: rung('1015', '2000'),
    afterSlippage: rung('1020', '2000'),
  }
  expect(computeFees({ amounts, kind: 'buy' })).toBe(3n)
})

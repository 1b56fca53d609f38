import { expect, test } from 'vitest'
import { computeCosts } from './computeCosts.ts'

const rung = (sellAmount: string, buyAmount: string) => ({ sellAmount, buyAmount })

test('a sell order receives less by its costs', () => {
  const amounts = {
    beforeAllFees: rung('1000', '2000'),
    afterNetworkFee: rung('1000', '1990'),
    afterProtocolFee: rung('1000', '1985'),
    afterPartnerFee: rung('1000', '1983'),
    afterSlippage: rung('1000', '1970'),
  }
  expect(computeCosts({ amounts, kind: 'sell' })).toEqual({ network: 10n, fees: 7n })
})

test('a buy order pays more by its costs', () => {
  const amounts = {
    beforeAllFees: rung('1000', '2000'),
    afterNetworkFee: rung('1012', '2000'),
    afterProtocolFee: rung('1012', '2000'),
    afterPartnerFee: rung('1015', '2000'),
    afterSlippage: rung('1020', '2000'),
  }
  expect(computeCosts({ amounts, kind: 'buy' })).toEqual({ network: 12n, fees: 3n })
})

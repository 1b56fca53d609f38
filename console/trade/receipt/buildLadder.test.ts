import { expect, test } from 'vitest'
import { buildLadder } from './buildLadder.ts'

const rung = (sellAmount: string, buyAmount: string) => ({ sellAmount, buyAmount })

test('a sell order gets less with each cost', () => {
  const amounts = {
    beforeAllFees: rung('1000', '2000'),
    afterNetworkFee: rung('1000', '1990'),
    afterProtocolFee: rung('1000', '1980'),
    afterPartnerFee: rung('1000', '1980'),
    afterSlippage: rung('1000', '1971'),
  }
  expect(buildLadder({ amounts, slippageBps: 50 }, { kind: 'sell', limit: undefined })).toEqual([
    { label: 'Market price', amount: 2_000n, change: null },
    { label: 'After network cost', amount: 1_990n, change: -10n },
    { label: 'After protocol fee', amount: 1_980n, change: -10n },
    { label: 'After partner fee', amount: 1_980n, change: 0n },
    { label: 'After 0.5\u00a0% slippage (signed)', amount: 1_971n, change: -9n },
  ])
  const limited = buildLadder(
    { amounts, slippageBps: 0 },
    { kind: 'sell', limit: { sellAmount: 1_000n, buyAmount: 2_500n } },
  )
  expect(limited.at(-1)).toEqual({ label: 'Your limit (signed)', amount: 2_500n, change: 520n })
})

test('a buy order pays more with each cost', () => {
  const amounts = {
    beforeAllFees: rung('1000', '2000'),
    afterNetworkFee: rung('1010', '2000'),
    afterProtocolFee: rung('1010', '2000'),
    afterPartnerFee: rung('1010', '2000'),
    afterSlippage: rung('1015', '2000'),
  }
  const steps = buildLadder({ amounts, slippageBps: 50 }, { kind: 'buy', limit: undefined })
  expect(steps.map(({ amount, change }) => [amount, change])).toEqual([
    [1_000n, null],
    [1_010n, 10n],
    [1_010n, 0n],
    [1_010n, 0n],
    [1_015n, 5n],
  ])
})

import type { Draft } from '../trade/draft/draft.ts'

/** Test data: tokens of an order. */
export const sampleTokens = {
  sell: { address: `0x${'a1'.repeat(20)}`, symbol: 'WETH', decimals: 18 },
  buy: { address: `0x${'b2'.repeat(20)}`, symbol: 'USDC', decimals: 6 },
}

/** Terms of a market order that sells 1 WETH. */
export const sampleDraft = (changes: Partial<Draft> = {}): Draft => ({
  type: 'market',
  kind: 'sell',
  ...sampleTokens,
  per: 'auto',
  amount: 10n ** 18n,
  price: undefined,
  limit: undefined,
  slippageBps: 50,
  validFor: 1_800,
  isPartiallyFillable: false,
  receiver: null,
  faults: {},
  ...changes,
})

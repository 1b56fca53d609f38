import type { Draft } from '../trade/draft/draft.ts'

/** Data of tests: tokens as an order exchanges them. */
export const sampleTokens = {
  sell: { address: `0x${'a1'.repeat(20)}`, symbol: 'WETH', decimals: 18 },
  buy: { address: `0x${'b2'.repeat(20)}`, symbol: 'USDC', decimals: 6 },
}

/** What somebody has chosen who sells 1 WETH at the market's price. */
export const sampleDraft = (changes: Partial<Draft> = {}): Draft => ({
  type: 'market',
  kind: 'sell',
  ...sampleTokens,
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

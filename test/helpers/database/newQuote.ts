import type { NewQuote } from '#schema/queries/quotes/quotes.ts'
import { networks } from '#shared/networks.ts'

const { chainId, wrappedNative, usdReference } = networks.sepolia

/** A row to insert: a verified standard quote of a sell order, as `newOrder` has its tokens. */
export const newQuote = (changes: Partial<NewQuote> = {}): NewQuote => ({
  chainId,
  sellToken: wrappedNative,
  buyToken: usdReference.address,
  sellAmount: 500n,
  buyAmount: 900n,
  kind: 'sell',
  quoteKind: 'standard',
  gasAmount: 120_000n,
  gasPrice: 3n,
  sellTokenPrice: 1.5,
  feeAmount: 7n,
  solver: '0x5000000000000000000000000000000000000005',
  verified: true,
  metadata: {},
  expiresAt: new Date('2030-01-01T00:00:00Z'),
  ...changes,
})

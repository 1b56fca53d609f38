import type { QuoteRequest } from './quoteRequest.ts'

/** Lifetime of a quote. It is longer for on-chain orders, whose placement takes a transaction. */
const lifetimeMs = { standard: 60_000, eip1271onchainorder: 600_000, presignonchainorder: 600_000 }

export type QuoteKind = keyof typeof lifetimeMs

export const toQuoteKind = ({ signingScheme, onchainOrder }: QuoteRequest): QuoteKind => {
  if (onchainOrder && signingScheme === 'eip1271') return 'eip1271onchainorder'
  if (onchainOrder && signingScheme === 'presign') return 'presignonchainorder'
  return 'standard'
}

/** @param now Unix milliseconds */
export const computeExpiration = (kind: QuoteKind, now: number): Date => new Date(now + lifetimeMs[kind])

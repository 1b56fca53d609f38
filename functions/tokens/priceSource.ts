import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'

/** What a source says about a price; `unknown` is its word that it has none, everything else but a price is a failure. */
export type PriceOutcome =
  | { status: 'price'; price: number }
  | { status: 'unknown' }
  | { status: 'throttled' }
  | { status: 'failed'; reason: string }

/** Somebody who knows US dollar prices of tokens. */
export type PriceSource = {
  name: string
  /**
   * US dollars for one whole token.
   * @param token in lower case; the native token by its sentinel
   * @returns never rejects
   */
  findPrice: (network: Network, token: Address) => Promise<PriceOutcome>
}

/** A price that is no positive finite number is none. */
export const toPriceOutcome = (price: unknown): PriceOutcome =>
  typeof price === 'number' && Number.isFinite(price) && price > 0 ? { status: 'price', price } : { status: 'unknown' }

import type { Address } from 'viem'
import type { Network } from '#shared/networks.ts'

/** Result of a price source; `unknown`: it has no price; `throttled` and `failed` are failures. */
export type PriceOutcome =
  | { status: 'price'; price: number }
  | { status: 'unknown' }
  | { status: 'throttled' }
  | { status: 'failed'; reason: string }

/** A source of US dollar prices of tokens. */
export type PriceSource = {
  name: string
  /**
   * Finds the price of one whole token in US dollars.
   * @param token in lower case; the native token by its sentinel
   * @returns never rejects
   */
  findPrice: (network: Network, token: Address) => Promise<PriceOutcome>
}

/** Anything but a positive finite number is `unknown`. */
export const toPriceOutcome = (price: unknown): PriceOutcome =>
  typeof price === 'number' && Number.isFinite(price) && price > 0 ? { status: 'price', price } : { status: 'unknown' }

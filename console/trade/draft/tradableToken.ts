import type { Token } from '../../tokens/tokenBook.ts'

/** A token that says how many decimals it has: without them nobody knows what an amount of it means. */
export type TradableToken = Token & { decimals: number }

export type TradablePair = { sell: TradableToken; buy: TradableToken }

export const isTradable = (token: Token): token is TradableToken => token.decimals !== undefined

/** @returns undefined as long as one of them is missing */
export const toPair = ({ sell, buy }: Partial<Record<keyof TradablePair, TradableToken | undefined>>) =>
  sell && buy ? { sell, buy } : undefined

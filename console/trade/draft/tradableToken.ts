import type { Token } from '../../tokens/token.ts'

/** A token with known decimals; without them its amounts have no meaning. */
export type TradableToken = Token & { decimals: number }

export type TradablePair = { sell: TradableToken; buy: TradableToken }

export const isTradable = (token: Token): token is TradableToken => token.decimals !== undefined

/** @returns undefined while one of them is missing */
export const toPair = ({ sell, buy }: Partial<Record<keyof TradablePair, TradableToken | undefined>>) =>
  sell && buy ? { sell, buy } : undefined

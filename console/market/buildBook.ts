import { type Market, toWhole } from './market.ts'

type Amounts = { base: string; quote: string }

/** Orders of one price: base tokens, and the price in quote tokens. */
export type BookLevel = { price: number; size: number }

/** Prices that agree in so many digits are one level. */
const digits = 5

/** Levels of one side, the nearest to the market first. @param most levels */
export const buildBook = (orders: readonly Amounts[], { base, quote }: Market, most: number): BookLevel[] => {
  const levels = new Map<number, number>()
  for (const order of orders) {
    const size = toWhole(order.base, base)
    if (size === 0) continue
    const price = Number((toWhole(order.quote, quote) / size).toPrecision(digits))
    levels.set(price, (levels.get(price) ?? 0) + size)
  }
  return [...levels].slice(0, most).map(([price, size]) => ({ price, size }))
}

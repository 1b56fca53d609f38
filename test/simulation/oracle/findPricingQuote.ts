import type { ClientQuote, GivenQuote, PlacedOrder } from '../world.ts'

type Terms = Pick<PlacedOrder, 'sellToken' | 'buyToken' | 'sellAmount' | 'buyAmount'> & {
  kind?: PlacedOrder['kind']
  /** the quote that the order names */
  quoteId: number | undefined
}

/**
 * The quote that prices an order placed over the API: one for the same tokens, kind and exact amount that has not expired. The
 * one that it names comes first, else verified ones, then the best price, then the newest. The requests of all actors give
 * the amount to sell before the network fee, which is the one that they sign.
 * @param quotes responses
 * @param now Unix milliseconds
 */
export const findPricingQuote = (
  quotes: readonly GivenQuote[],
  { kind = 'sell', quoteId, ...order }: Terms,
  now: number,
): ClientQuote | undefined => {
  const exact = kind === 'sell' ? 'sellAmount' : 'buyAmount'
  const second = Math.floor(now / 1_000) * 1_000
  return quotes
    .flatMap(({ quoted, sellToken, buyToken, isForChain }) =>
      quoted &&
      sellToken === order.sellToken &&
      buyToken === order.buyToken &&
      quoted.quote.kind === kind &&
      BigInt(quoted.amounts.beforeAllFees[exact]) === order[exact] &&
      Date.parse(quoted.expiration) >= second &&
      (!isForChain || quoted.id === quoteId)
        ? [quoted]
        : [],
    )
    .toSorted(
      (a, b) =>
        Number(b.id === quoteId) - Number(a.id === quoteId) ||
        Number(b.verified) - Number(a.verified) ||
        comparePrices(b, a) ||
        b.id - a.id,
    )[0]
}

/** Amounts of a quote after its network fee. */
export const readQuotedAmounts = ({
  amounts: {
    afterNetworkFee: { sellAmount, buyAmount },
  },
}: ClientQuote): NonNullable<PlacedOrder['quoted']> => ({
  sellAmount: BigInt(sellAmount),
  buyAmount: BigInt(buyAmount),
})

/** Above zero when the first one buys more for an amount and its network fee. */
const comparePrices = (a: ClientQuote, b: ClientQuote): number => {
  const [ofA, ofB] = [bought(a) * paid(b), bought(b) * paid(a)]
  return ofA > ofB ? 1 : ofA < ofB ? -1 : 0
}

const bought = ({ amounts }: ClientQuote): bigint => BigInt(amounts.beforeAllFees.buyAmount)
const paid = ({ amounts, quote }: ClientQuote): bigint =>
  BigInt(amounts.beforeAllFees.sellAmount) + BigInt(quote.feeAmount)

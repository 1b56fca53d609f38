import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import type { Given } from '../../neon/prepared.ts'
import { isOpenOfOwner, isUnsigned, orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { selectMatchingQuote } from './placementFacts.ts'

type Order = typeof orders.$inferInsert

/** The statement that places an order chooses its quote and class. */
export type Pricing = {
  /** Unix seconds: earlier quotes are expired */
  now: number
  /** gas units: a quote with more refuses the order */
  maxGas: bigint
}

/** `fee`: the quote that the order names, whose fee and amounts it signs; else the best match for its kind. */
export type PricingRule = 'fee' | Order['kind']

export const findPricingRule = ({ feeAmount, kind }: Pick<Order, 'feeAmount' | 'kind'>): PricingRule =>
  feeAmount > 0n ? 'fee' : kind

/** The quote that the statement found; null without pricing. */
export type FoundPricing = {
  /** the quote that prices the order */
  quote: { quoteId: number; gasAmount: bigint } | null
  /** the order is within the market of that quote, which has made another open market order */
  isQuoteUsed: boolean
  /** expiry of the quote that the order names; null without one, or when it is not stored */
  namedUntil: Date | null
}

/**
 * The quote that prices the order as `id`, `gas_amount`, `is_market` and `is_used`; no row without one. An order that
 * signs the fee of a quote signs all of that quote.
 */
export const selectPricing = (database: Database, given: Given, rule: PricingRule, isUnsigned: boolean): SQL => {
  const isOfChain = eq(quotes.chainId, given('chainId', quotes.chainId))
  const [id, isWithin] =
    rule === 'fee'
      ? [given('quoteId', quotes.id), sql`true`]
      : [sql`${selectMatchingQuote(database, given, rule)}`, isWithinMarket(given, rule)]
  return sql`select id, gas_amount, is_within and not is_used as is_market, is_within and is_used as is_used from (
    select ${quotes.id}, ${quotes.gasAmount}, ${hasSaneFee} and ${isWithin} as is_within,
      exists ${selectMarketOrder(given, isUnsigned)} as is_used
    from ${quotes} where ${and(isOfChain, eq(quotes.id, id))}) as quoted`
}

/**
 * The fee is at most half of what the order sells. A quote for less than its own gas prices no market order, since
 * anyone can request it for a few atoms.
 */
const hasSaneFee = sql`case ${quotes.kind}
  when 'sell' then ${quotes.feeAmount} * 2 <= ${quotes.sellAmount} else ${quotes.feeAmount} <= ${quotes.sellAmount} end`

/**
 * Another open market order of the same quote and holder: one quote makes one of them for each owner, or for each
 * client without signatures. Orders of other holders do not count, because anyone can name any quote. `lockBounds`
 * makes concurrent placements of one holder wait for each other.
 */
const selectMarketOrder = (given: Given, isUnsignedOrder: boolean): SQL => {
  const isOfHolder = isUnsignedOrder
    ? sql`${orders.submittedBy} = ${given('submittedBy', orders.submittedBy)} and ${isUnsigned(orders)}
      and ${orders.cancelledAt} is null`
    : sql`${orders.owner} = ${given('owner', orders.owner)} and ${isOpenOfOwner(orders)}`
  return sql`(select from ${orders}
    where ${orders.chainId} = ${given('chainId', orders.chainId)} and ${isOfHolder}
      and ${orders.validTo} >= extract(epoch from ${given('quotedAfter', quotes.expiresAt)}::timestamptz)::bigint
      and ${orders.class} = 'market' and ${orders.quoteId} = ${quotes.id}
      and ${orders.uid} <> ${given('uid', orders.uid)} and ${orders.uid} is distinct from ${given('replaced', orders.uid)}::bytea)`
}

/**
 * The order's limit is no better than its quote after the network fee, so that it need not wait for a better price. S
 * and B are the order's amounts; s, b, f the quote's sell amount, buy amount and fee:
 *     sell: S · b′ ≥ s · B    b′ = b − ⌊ f · b / s ⌋: the fee is part of the sell amount
 *     buy:  S · b ≥ (s + f) · B
 * Exact integers; only b′ is rounded, in the order's favour.
 */
const isWithinMarket = (given: Given, kind: Order['kind']): SQL => {
  const [sellAmount, buyAmount] = [given('sellAmount', quotes.sellAmount), given('buyAmount', quotes.buyAmount)]
  const { sellAmount: s, buyAmount: b, feeAmount: f } = quotes
  return kind === 'buy'
    ? sql`${sellAmount}::numeric * ${b} >= (${s} + ${f}) * ${buyAmount}::numeric`
    : sql`case when ${s} <= ${f} then false
        else ${sellAmount}::numeric * (${b} - div(${f} * ${b}, ${s})) >= ${s} * ${buyAmount}::numeric end`
}

/** Columns of the result about the pricing, from `priced`. */
export const pricingColumns = (given: Given): SQL => sql`
  (select id from priced) as "pricedBy", (select gas_amount from priced) as "quotedGas",
  (select is_market from priced) as "isMarket", (select is_used from priced) as "isQuoteUsed",
  (select ${quotes.expiresAt} from ${quotes} where ${quotes.chainId} = ${given('chainId', quotes.chainId)}
    and ${quotes.id} = ${given('quoteId', quotes.id)}) as "namedUntil"`

/** The quote of the order fits into a settlement. */
export const isPriceable = (given: Given): SQL =>
  sql`coalesce((select gas_amount from priced), 0) <= ${given('maxGas')}::numeric`

export const toPricingValues = (
  { kind, sellAmount, buyAmount }: Pick<Order, 'kind' | 'sellAmount' | 'buyAmount'>,
  { now, maxGas }: Pricing,
) => ({ exactAmount: kind === 'sell' ? sellAmount : buyAmount, quotedAfter: new Date(now * 1_000), maxGas })

/** A row with `pricingColumns`, as Postgres' text. */
export type PricingRow = {
  pricedBy: string | null
  quotedGas: string | null
  isMarket: boolean | null
  isQuoteUsed: boolean | null
  namedUntil: string | null
}

export const toFoundPricing = ({
  pricedBy = null,
  quotedGas = null,
  isQuoteUsed = null,
  namedUntil = null,
}: Partial<PricingRow>): FoundPricing => ({
  isQuoteUsed: isQuoteUsed ?? false,
  quote: pricedBy === null || quotedGas === null ? null : { quoteId: Number(pricedBy), gasAmount: BigInt(quotedGas) },
  namedUntil: namedUntil === null ? null : new Date(namedUntil),
})

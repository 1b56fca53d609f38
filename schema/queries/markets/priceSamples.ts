import { and, asc, eq, gte, inArray, lt, ne, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Address } from 'viem'
import { type PricePoint, sampleStepSeconds } from '#shared/slippage/computeVolatility.ts'
import type { Database } from '../../client.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'

const daySeconds = 86_400

/** Samples older than `age` seconds remain only at multiples of `step` seconds; without a step none does. */
const thinnings = [
  { age: 2 * daySeconds, step: 3_600 },
  { age: 14 * daySeconds, step: daySeconds },
  { age: 90 * daySeconds, step: undefined },
] as const

/** US dollars for one whole token. */
export type TokenPrice = { token: Address; price: number }
/** @property time Unix seconds, a multiple of `sampleStepSeconds` */
export type PriceSample = TokenPrice & { time: number }

/**
 * Records current prices under the step that began last and deletes older samples: `thinnings`. Samples of the wrapped
 * native token stay: the value of trades is computed from them and must not change later. The first sample of a step
 * stands, so sampling again changes nothing.
 * @param now Unix seconds
 */
export const insertPriceSamples = async (
  database: Database,
  { chainId, wrappedNative }: { chainId: number; wrappedNative: Address },
  prices: readonly TokenPrice[],
  now: number,
): Promise<void> => {
  if (prices.length === 0) return
  const sampledAt = toDate(Math.floor(now / sampleStepSeconds) * sampleStepSeconds)
  await database.batch([
    database
      .insert(priceSamples)
      .values(prices.map((row) => ({ chainId, sampledAt, ...row })))
      .onConflictDoNothing(),
    database
      .delete(priceSamples)
      .where(
        and(
          eq(priceSamples.chainId, chainId),
          ne(priceSamples.token, wrappedNative),
          or(...thinnings.map((thinning) => isThinned(thinning, now))),
        ),
      ),
  ])
}

/** Looks at the day after `age` only, so that each sample is read for a day and not for as long as it remains. */
const isThinned = ({ age, step }: (typeof thinnings)[number], now: number) => {
  const end = now - age
  const isOld = lt(priceSamples.sampledAt, toDate(end))
  if (step === undefined) return isOld
  const seconds = sql`extract(epoch from ${priceSamples.sampledAt})::bigint`
  return and(isOld, gte(priceSamples.sampledAt, toDate(end - daySeconds)), sql`${seconds} % ${step} <> 0`)
}

/**
 * Samples of some tokens in time order.
 * @param since Unix seconds
 */
export const selectPriceSamples = async (
  database: Database,
  chainId: number,
  tokens: readonly Address[],
  since: number,
): Promise<PriceSample[]> => {
  const rows = await database
    .select({ token: priceSamples.token, sampledAt: priceSamples.sampledAt, price: priceSamples.price })
    .from(priceSamples)
    .where(
      and(
        eq(priceSamples.chainId, chainId),
        inArray(priceSamples.token, [...tokens]),
        gte(priceSamples.sampledAt, toDate(since)),
      ),
    )
    .orderBy(asc(priceSamples.sampledAt))
  return rows.map(({ sampledAt, ...row }) => ({ ...row, time: sampledAt.getTime() / 1_000 }))
}

/**
 * Price of one token in another wherever both have a sample of the same time, oldest first: whole tokens.
 * @param since Unix seconds
 */
export const selectPriceRatios = async (
  database: Database,
  chainId: number,
  { base, quote, since }: { base: Address; quote: Address; since: number },
): Promise<PricePoint[]> => {
  const of = alias(priceSamples, 'of')
  const rows = await database
    .select({ sampledAt: of.sampledAt, price: sql<number>`${of.price} / ${priceSamples.price}` })
    .from(of)
    .innerJoin(
      priceSamples,
      and(
        eq(priceSamples.chainId, of.chainId),
        eq(priceSamples.token, quote),
        eq(priceSamples.sampledAt, of.sampledAt),
      ),
    )
    .where(
      and(eq(of.chainId, chainId), eq(of.token, base), gte(of.sampledAt, toDate(since)), ne(priceSamples.price, 0)),
    )
    .orderBy(asc(of.sampledAt))
  return rows.map(({ sampledAt, price }) => ({ time: sampledAt.getTime() / 1_000, price }))
}

/**
 * The sampled price of a token nearest to a moment, for use inside another statement; null without any sample. Costs
 * two index look-ups.
 * @param at a `timestamptz`
 */
export const nearestPrice = (
  chainId: SQLWrapper | number,
  token: SQLWrapper,
  at: SQLWrapper,
): SQL<number | null> => sql`(
  select near.price from (
    (select s.price, s.sampled_at - ${at} as distance from price_samples s
      where s.chain_id = ${chainId} and s.token = ${token} and s.sampled_at >= ${at}
      order by s.sampled_at limit 1)
    union all
    (select s.price, ${at} - s.sampled_at from price_samples s
      where s.chain_id = ${chainId} and s.token = ${token} and s.sampled_at < ${at}
      order by s.sampled_at desc limit 1)
  ) near order by near.distance limit 1
)`

const toDate = (seconds: number): Date => new Date(seconds * 1_000)

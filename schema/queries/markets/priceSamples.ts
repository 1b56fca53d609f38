import { and, asc, eq, gte, inArray, lt, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { sampleStepSeconds } from '#shared/slippage/computeVolatility.ts'
import type { Database } from '../../client.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'

const daySeconds = 86_400
const retentionSeconds = 2 * daySeconds

/** US dollars for one whole token. */
export type TokenPrice = { token: Address; price: number }
/** @property time Unix seconds, a multiple of `sampleStepSeconds` */
export type PriceSample = TokenPrice & { time: number }

/**
 * Records current prices under the nearest step and deletes samples older than two days. Samples of the wrapped native
 * token stay: the value of trades is computed from them and must not change later. The first sample of a step stands,
 * so sampling again changes nothing.
 * @param now Unix seconds
 */
export const insertPriceSamples = async (
  database: Database,
  { chainId, wrappedNative }: { chainId: number; wrappedNative: Address },
  prices: readonly TokenPrice[],
  now: number,
): Promise<void> => {
  if (prices.length === 0) return
  const sampledAt = toDate(Math.round(now / sampleStepSeconds) * sampleStepSeconds)
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
          lt(priceSamples.sampledAt, toDate(now - retentionSeconds)),
        ),
      ),
  ])
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

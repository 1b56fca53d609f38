import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'

/** Trades of a pair in one interval. Prices are atoms of the quote token per atom of the base token. */
export type TradeCandle = {
  /** start, Unix seconds */
  time: number
  open: number | null
  high: number | null
  low: number | null
  close: number | null
  /** atoms */
  baseVolume: bigint
  quoteVolume: bigint
  trades: number
}

/** `base` and `quote` are lists, because the native token and its wrapped form are one market. */
export type CandleQuery = {
  base: readonly Address[]
  quote: readonly Address[]
  /** seconds */
  interval: number
  /** first second, a multiple of `interval` */
  since: number
}

/**
 * Intervals with trades of a pair in either direction, oldest first. Reads only index entries of these trades. A trade
 * with an amount of zero adds to the volume and has no price.
 */
export const selectTradeCandles = async (
  database: Database,
  chainId: number,
  { base, quote, interval, since }: CandleQuery,
): Promise<TradeCandle[]> => {
  const start = sql`to_timestamp(${since})`
  // blocks and their times rise together
  const firstBlock = sql`(select block_number from ${tradeValues} where chain_id = ${chainId} and settled_at >= ${start}
    order by settled_at limit 1)`
  const select = (sold: readonly Address[], bought: readonly Address[], amounts: SQL): SQL => sql`
    select block_number, log_index, settled_at, ${amounts} from ${tradeValues}
    where chain_id = ${chainId} and sell_token in ${addresses(sold)} and buy_token in ${addresses(bought)}
      and block_number >= ${firstBlock} and settled_at >= ${start}`
  const { rows } = await database.execute<TradeCandle & Record<'baseVolume' | 'quoteVolume', string>>(sql`
    select time, (array_agg(price order by block_number, log_index) filter (where price is not null))[1] as open,
      max(price) as high, min(price) as low,
      (array_agg(price order by block_number desc, log_index desc) filter (where price is not null))[1] as close,
      sum(base)::text as "baseVolume", sum(quote)::text as "quoteVolume", count(*)::integer as trades
    from (
      select block_number, log_index, base, quote, (quote / nullif(base, 0))::double precision as price,
        (floor(extract(epoch from settled_at) / ${interval}) * ${interval})::double precision as time
      from (
        ${select(base, quote, sql`sell_amount as base, buy_amount as quote`)}
        union all ${select(quote, base, sql`buy_amount as base, sell_amount as quote`)}) as traded
    ) as priced
    group by time order by time`)
  return rows.map((row) => ({ ...row, baseVolume: BigInt(row.baseVolume), quoteVolume: BigInt(row.quoteVolume) }))
}

const addresses = (list: readonly Address[]): SQL =>
  sql`(${sql.join(
    list.map((address) => sql.param(address, tradeValues.sellToken)),
    sql`, `,
  )})`

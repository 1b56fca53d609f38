import { sql } from 'drizzle-orm'
import type { Database } from '#schema/client.ts'

/**
 * How each table grows: `time` names the column with the time of a row, `like` a table whose rows come at the same
 * rate. The others do not grow with use: old rows are deleted, or there is one row for each token, chain or account.
 */
export const tableGrowth: Record<string, { time: string } | { like: string } | 'steady'> = {
  account_surplus: 'steady',
  affiliate_payouts: 'steady',
  affiliates: 'steady',
  alarms: 'steady',
  alerts: 'steady',
  app_data: { time: 'created_at' },
  auction_entries: { like: 'orders' },
  auctions: { time: 'created_at' },
  blocks: 'steady',
  carried_trades: { time: 'settled_at' },
  chain_differences: 'steady',
  conditional_orders: { like: 'orders' },
  conditional_parts: { like: 'orders' },
  current_auctions: 'steady',
  deliveries: 'steady',
  executions: { like: 'settlements' },
  fee_policies: { like: 'auctions' },
  invalidations: { like: 'orders' },
  notifications: { time: 'created_at' },
  order_events: { time: 'created_at' },
  order_placements: { time: 'placed_at' },
  order_quotes: { like: 'orders' },
  order_refunds: { like: 'order_placements' },
  orders: { time: 'created_at' },
  pauses: 'steady',
  presignatures: { like: 'orders' },
  price_samples: 'steady',
  quotes: 'steady',
  referred_hours: { time: 'hour' },
  settlement_attempts: { time: 'started_at' },
  settlement_failures: 'steady',
  settlements: { time: 'settled_at' },
  signed_nonces: 'steady',
  solution_orders: { like: 'auctions' },
  solutions: { like: 'auctions' },
  solver_suspensions: 'steady',
  subscriptions: 'steady',
  tokens: 'steady',
  trade_carries: 'steady',
  trade_values: { time: 'settled_at' },
  trades: { like: 'settlements' },
  yield_pools: 'steady',
}

/** Sizes in bytes, with indexes. */
export type DatabaseGrowth = {
  bytes: number
  bytesPerDay: number
  /** the largest size that Neon allows; null: not said */
  limitBytes: number | null
  /** the largest first */
  tables: { name: string; bytes: number; bytesPerDay: number }[]
}

/** Days whose rows are counted. */
const countedDays = 7
/** Pages of a table that are read: the rate of a larger one is that of a random part of it. */
const readPages = 1_000
const pageBytes = 8_192

/**
 * Sizes of the tables, and what the rows of the last days add to them. Reads at most a thousand pages of each table.
 */
export const findGrowth = async (database: Database): Promise<DatabaseGrowth> => {
  const { rows } = await database.execute<{ name: string; bytes: string; heap: string }>(sql`
    select relname as name, pg_total_relation_size(oid)::text as bytes, pg_relation_size(oid)::text as heap
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
  const { rows: whole } = await database.execute<{ bytes: string; limit: string | null }>(sql`
    select pg_database_size(current_database())::text as bytes,
      pg_size_bytes(nullif(nullif(current_setting('neon.max_cluster_size', true), ''), '-1'))::text as limit`)
  const shares = new Map<string, number>()
  for (const { name, heap } of rows) {
    const growth = tableGrowth[name]
    if (typeof growth === 'object' && 'time' in growth && Number(heap) > 0)
      shares.set(name, await findDailyShare(database, name, growth.time, Number(heap)))
  }
  const tables = rows.map(({ name, bytes }) => {
    const growth = tableGrowth[name]
    const rate = typeof growth === 'object' && 'like' in growth ? growth.like : name
    return { name, bytes: Number(bytes), bytesPerDay: Number(bytes) * (shares.get(rate) ?? 0) }
  })
  return {
    bytes: Number(whole[0]?.bytes),
    bytesPerDay: tables.reduce((sum, { bytesPerDay }) => sum + bytesPerDay, 0),
    limitBytes: whole[0]?.limit ? Number(whole[0].limit) : null,
    tables: tables.toSorted((a, b) => b.bytes - a.bytes),
  }
}

/** The share of a table's rows that one of the last days added. A table that is younger counts the days of its age. */
const findDailyShare = async (database: Database, table: string, time: string, heap: number): Promise<number> => {
  const percent = Math.min(100, (readPages * pageBytes * 100) / heap)
  const column = sql.identifier(time)
  const { rows } = await database.execute<{ share: string | null }>(sql`
    select count(*) filter (where ${column} >= now() - interval '1 day' * ${countedDays}::integer)::float8 / nullif(count(*), 0)
      / least(${countedDays}::integer, greatest(1, extract(epoch from now() - min(${column})) / 86400)) as share
    from ${sql.identifier(table)} tablesample system (${sql.raw(percent.toFixed(6))}) repeatable (1)`)
  return Number(rows[0]?.share ?? 0)
}

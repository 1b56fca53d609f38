import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctionEntries, currentAuctions } from '../../tables/auctions/auctions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { chainDifferences } from '../../tables/chain/chainDifferences.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { pauses } from '../../tables/service/pauses.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { ageInSeconds } from '../fragments/ageInSeconds.ts'
import { toIsoTime } from '../fragments/toIsoTime.ts'
import { solverDebts } from '../settlements/solverDebts.ts'
import { selectFills } from './selectFills.ts'
import { selectObject } from './selectObject.ts'
import { oldestUndelivered } from './selectOldestUndelivered.ts'
import type { CurrentSuspension } from './selectSuspensions.ts'
import { suspensionsOf } from './selectSuspensions.ts'
import { selectTimesToFill } from './selectTimesToFill.ts'

/** Milliseconds; null when the count is zero. */
export type Latency = { count: number; p50Ms: number | null; p95Ms: number | null; p99Ms: number | null }

/** Current state of a network; ages in seconds by the database's clock. */
export type CurrentStatus = {
  quotes: Latency
  submissions: Latency
  /** of market orders, until the block of their first trade */
  timeToFill: Latency
  auctions: {
    newestId: number | null
    newestAgeSeconds: number | null
    openOrders: number
    lastWinAgeSeconds: number | null
    fillsLastHour: number
  }
  /** the newest indexed block; `timestamp` in Unix seconds */
  indexed: { block: number; timestamp: number } | null
  /** the oldest difference between the chain and the database */
  difference: string | null
  oldestUndeliveredSeconds: number | null
  /** what the operator has paused */
  pauses: { subject: string; reason: string; since: string }[]
  /** current suspensions */
  suspensions: CurrentSuspension[]
  /** unpaid debts by solver, wei, decimal strings */
  debts: Record<string, string>
}

/** Latencies of more rows than this are taken from the newest ones. */
const maxSamples = 20_000

/** The figures of the alarms in one statement; each reads an index only as far back as its window. */
export const selectCurrentStatus = async (database: Database, chainId: number): Promise<CurrentStatus> =>
  selectObject(
    database,
    sql`jsonb_build_object(
      'quotes', ${selectLatency(quotes, sql`elapsed_ms`, chainId)},
      'submissions', ${selectLatency(orders, sql`admission_ms`, chainId)},
      'timeToFill', ${toLatency(selectTimesToFill(chainId))},
      'auctions', jsonb_build_object(
        'newestId', (select id from ${currentAuctions} where chain_id = ${chainId}),
        'newestAgeSeconds', (
          select ${ageInSeconds(sql`b.timestamp`)} from ${currentAuctions} as c
          join ${blocks} as b on b.chain_id = c.chain_id and b.number = c.block where c.chain_id = ${chainId}),
        'openOrders', (
          select count(*) from ${auctionEntries} where chain_id = ${chainId} and left_auction_id is null),
        'lastWinAgeSeconds', (
          select ${ageInSeconds(sql`started_at`)} from ${settlementAttempts} where chain_id = ${chainId}
          order by auction_id desc limit 1),
        'fillsLastHour', (
          select count(*) from ${selectFills(chainId, sql`now() - interval '1 hour'`)} as fills)),
      'indexed', (
        select jsonb_build_object('block', b.number, 'timestamp', extract(epoch from b.timestamp)) from ${blocks} as b
        where b.chain_id = ${chainId} order by b.number desc limit 1),
      'difference', (
        select description from ${chainDifferences} where chain_id = ${chainId} order by since, subject limit 1),
      'oldestUndeliveredSeconds', ${oldestUndelivered(chainId)},
      'pauses', (
        select coalesce(jsonb_agg(jsonb_build_object('subject', subject, 'reason', reason, 'since', ${toIsoTime(sql`since`)})
          order by since, subject), '[]') from ${pauses} where chain_id = ${chainId}),
      'debts', (
        select coalesce(jsonb_object_agg('0x' || encode(solver, 'hex'), debt::text), '{}') from ${solverDebts(chainId)} as debts),
      'suspensions', ${suspensionsOf(chainId)})`,
  )

const selectLatency = (table: typeof quotes | typeof orders, column: SQL, chainId: number): SQL =>
  toLatency(sql`
    select ${column} as ms from ${table}
    where chain_id = ${chainId} and created_at > now() - interval '1 hour' and ${column} is not null
    order by created_at desc limit ${maxSamples}`)

/** @param samples rows with a column `ms` */
const toLatency = (samples: SQL): SQL => sql`(
  select jsonb_build_object('count', count(*),
    'p50Ms', percentile_disc(0.5) within group (order by ms), 'p95Ms', percentile_disc(0.95) within group (order by ms),
    'p99Ms', percentile_disc(0.99) within group (order by ms))
  from (${samples}) as samples)`

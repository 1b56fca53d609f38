import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { NetworkStatus } from '#shared/networkStatusSchema.ts'
import type { Database } from '../../client.ts'
import { auctionEntries, auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { solutions } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { deliveries } from '../../tables/notifications/deliveries.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { solverSuspensions } from '../../tables/settlements/solverSuspensions.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'

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
  oldestUndeliveredSeconds: number | null
  /** current suspensions */
  suspensions: ({ address: Address } & NonNullable<NetworkStatus['solvers'][number]['suspension']>)[]
}

/** Activity of the last 24 hours. */
export type RecentStatus = {
  /** those with most wins and settlement requests first */
  solvers: {
    address: Address
    solutions: number
    wins: number
    attempts: number
    successes: number
    failures: number
    /** since the newest auction with a valid solution of this solver; null without one */
    lastSolutionAgeSeconds: number | null
    /** later auctions for which other solvers had a solution; null without one */
    missedAuctions: number | null
  }[]
  /** auctions with a solution of any solver */
  solvedAuctions: number
  /** oldest first, the current hour included */
  hours: {
    hour: string
    quotes: number
    quoteP95Ms: number | null
    submissions: number
    submissionP95Ms: number | null
    fills: number
  }[]
}

/** Latencies of more rows than this are taken from the newest ones. */
const maxSamples = 20_000
/** Likewise of trades, each of which takes two look-ups. */
const maxFills = 2_000

/** The figures of the alarms in one statement; each reads an index only as far back as its window. */
export const selectCurrentStatus = async (database: Database, chainId: number): Promise<CurrentStatus> =>
  selectObject(
    database,
    sql`jsonb_build_object(
      'quotes', ${selectLatency(quotes, sql`elapsed_ms`, chainId)},
      'submissions', ${selectLatency(orders, sql`admission_ms`, chainId)},
      'timeToFill', ${selectTimeToFill(chainId)},
      'auctions', jsonb_build_object(
        'newestId', (select id from ${currentAuctions} where chain_id = ${chainId}),
        'newestAgeSeconds', (
          select ${age(sql`b.timestamp`)} from ${currentAuctions} as c
          join ${blocks} as b on b.chain_id = c.chain_id and b.number = c.block where c.chain_id = ${chainId}),
        'openOrders', (
          select count(*) from ${auctionEntries} where chain_id = ${chainId} and left_auction_id is null),
        'lastWinAgeSeconds', (
          select ${age(sql`started_at`)} from ${settlementAttempts} where chain_id = ${chainId}
          order by auction_id desc limit 1),
        'fillsLastHour', (
          select count(*) from ${selectFills(chainId, sql`now() - interval '1 hour'`)} as fills)),
      'indexed', (
        select jsonb_build_object('block', b.number, 'timestamp', extract(epoch from b.timestamp)) from ${blocks} as b
        where b.chain_id = ${chainId} order by b.number desc limit 1),
      'oldestUndeliveredSeconds', ${oldestUndelivered(chainId)},
      'suspensions', ${suspensionsOf(chainId)})`,
  )

/** The newest suspension of each solver that has not ended. */
const suspensionsOf = (chainId: number): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('address', '0x' || encode(s.solver, 'hex'),
    'from', ${toIso(sql`s."from"`)}, 'until', ${toIso(sql`s.until`)}, 'reason', s.reason, 'failures', s.failures)
    order by s.solver), '[]')
  from (
    select distinct on (solver) * from ${solverSuspensions} where chain_id = ${chainId} and until > now()
    order by solver, auction_id desc) as s)`

/** The newest suspension of each solver that has not ended. */
export const selectSuspensions = (database: Database, chainId: number): Promise<CurrentStatus['suspensions']> =>
  selectObject(database, suspensionsOf(chainId))

const toIso = (time: SQL): SQL => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

/** Activity of solvers and new orders by hour: reads a day of rows, so not for every request. */
export const selectRecentStatus = async (database: Database, chainId: number): Promise<RecentStatus> =>
  selectObject(
    database,
    sql`jsonb_build_object(
      'solvers', (
        select coalesce(jsonb_agg(s order by s.wins desc, s.attempts desc, s.address), '[]') from (
          select '0x' || encode(solver, 'hex') as address, sum(solutions) as solutions, sum(wins) as wins,
            sum(attempts) as attempts, sum(successes) as successes, sum(failures) as failures,
            ${age(sql`max(solved_at)`)} as "lastSolutionAgeSeconds", min(auctions_after) as "missedAuctions"
          from (${selectSolverCounts(chainId)}) as counts group by solver) as s),
      'solvedAuctions', (select count(*) from (${selectSolvedAuctions(chainId)}) as solved),
      'hours', (
        select jsonb_agg(jsonb_build_object(
          'hour', to_char(h at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
          'quotes', coalesce(q.count, 0), 'quoteP95Ms', q.p95,
          'submissions', coalesce(o.count, 0), 'submissionP95Ms', o.p95,
          'fills', coalesce(f.count, 0)) order by h)
        from generate_series(${firstHour}, date_trunc('hour', now()), interval '1 hour') as h
        left join (${selectHourly(quotes, sql`elapsed_ms`, chainId)}) as q on q.hour = h
        left join (${selectHourly(orders, sql`admission_ms`, chainId)}) as o on o.hour = h
        left join (
          select date_trunc('hour', settled_at) as hour, count(*) from ${selectFills(chainId, firstHour)} as fills
          group by 1) as f on f.hour = h))`,
  )

const selectObject = async <T>(database: Database, object: SQL): Promise<T> => {
  const { rows } = await database.execute<{ object: T }>(sql`select ${object} as object`)
  const [row] = rows
  if (!row) throw new Error('a status without a row')
  return row.object
}

const firstHour = sql`date_trunc('hour', now()) - interval '23 hours'`

/** Never below zero for any clock; null of null, unlike `greatest`. */
const age = (time: SQL): SQL =>
  sql`case when ${time} > now() then 0 else round(extract(epoch from now() - ${time})) end`

const selectLatency = (table: typeof quotes | typeof orders, column: SQL, chainId: number): SQL =>
  toLatency(sql`
    select ${column} as ms from ${table}
    where chain_id = ${chainId} and created_at > now() - interval '1 hour' and ${column} is not null
    order by created_at desc limit ${maxSamples}`)

/**
 * First trades of market orders in the last hour. A limit order waits for its price, and a pre-signed one for its owner: neither
 * says how fast this service is. Block times may be ahead of the database's clock or behind it.
 */
const selectTimeToFill = (chainId: number): SQL =>
  toLatency(sql`
    select greatest(0, extract(epoch from newest.settled_at - greatest(o.created_at, to_timestamp(o.valid_from))) * 1000)::bigint as ms
    from (
      select block_number, log_index, settled_at from ${tradeValues}
      where chain_id = ${chainId} and settled_at > now() - interval '1 hour' order by settled_at desc limit ${maxFills}
    ) as newest
    join ${trades} as t on t.chain_id = ${chainId} and t.block_number = newest.block_number and t.log_index = newest.log_index
    join ${orders} as o on o.chain_id = ${chainId} and o.uid = t.order_uid
    where o.class = 'market' and o.signing_scheme <> 'presign' and not (o.partially_fillable and exists (
      select 1 from ${trades} as earlier where earlier.chain_id = ${chainId} and earlier.order_uid = t.order_uid
        and (earlier.block_number, earlier.log_index) < (t.block_number, t.log_index)))`)

/** @param samples rows with a column `ms` */
const toLatency = (samples: SQL): SQL => sql`(
  select jsonb_build_object('count', count(*),
    'p50Ms', percentile_disc(0.5) within group (order by ms), 'p95Ms', percentile_disc(0.95) within group (order by ms),
    'p99Ms', percentile_disc(0.99) within group (order by ms))
  from (${samples}) as samples)`

const selectHourly = (table: typeof quotes | typeof orders, column: SQL, chainId: number): SQL => sql`
  select date_trunc('hour', created_at) as hour, count(*), percentile_disc(0.95) within group (order by ${column}) as p95
  from ${table} where chain_id = ${chainId} and created_at >= ${firstHour} and ${column} is not null group by 1`

/** The time of a trade is that of its settlement. */
const selectFills = (chainId: number, since: SQL): SQL => sql`(
  select s.settled_at from ${settlements} as s
  join ${trades} as t on t.chain_id = s.chain_id and t.block_number = s.block_number
    and t.settlement_log_index = s.log_index
  where s.chain_id = ${chainId} and s.settled_at >= ${since})`

/** An auction has a row when any solver had a solution. */
const selectSolvedAuctions = (chainId: number): SQL => sql`
  select id, created_at, row_number() over (order by id desc) - 1 as auctions_after
  from ${auctions} where chain_id = ${chainId} and created_at > now() - interval '24 hours'`

/** `offset 0` keeps the planner from reading all solutions for those of a day: each auction's are found by the key. */
const selectSolverCounts = (chainId: number): SQL => sql`
  select s.solver, 1 as solutions, s.is_winner::integer as wins, 0 as attempts, 0 as successes, 0 as failures,
    a.created_at as solved_at, a.auctions_after
  from (${selectSolvedAuctions(chainId)}) as a
  cross join lateral (
    select solver, is_winner from ${solutions} where chain_id = ${chainId} and auction_id = a.id offset 0) as s
  union all
  select solver, 0, 0, 1, (outcome is not distinct from 'success')::integer,
    (outcome is not null and outcome <> 'success')::integer, null, null
  from ${settlementAttempts} where chain_id = ${chainId} and started_at > now() - interval '24 hours'`

/** Age in seconds of the oldest undelivered notification; null without one. */
export const selectOldestUndelivered = (database: Database, chainId: number): Promise<number | null> =>
  selectObject(database, sql`${oldestUndelivered(chainId)}::integer`)

const oldestUndelivered = (chainId: number): SQL => sql`(
  select ${age(sql`min(created_at)`)} from (${selectUndelivered(chainId)}) as undelivered)`

/** Deliveries in progress, and notifications without deliveries yet. */
const selectUndelivered = (chainId: number): SQL => sql`
  select d.created_at from ${deliveries} as d
  join ${notifications} as n on n.id = d.notification_id
  where d.state = 'pending' and n.chain_id = ${chainId}
  union all
  select created_at from ${notifications}
  where chain_id = ${chainId} and dispatched_revision < revision and dispatched_revision = 0`

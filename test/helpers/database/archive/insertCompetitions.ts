import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '#schema/client.ts'
import { runBatch } from '#schema/queries/fragments/runBatch.ts'

/** Tokens of `insertCompetitions`: sold, bought, bought by the orders that lose, and in no solution. */
export const competitionTokens = [1, 2, 3, 4].map((n) => `0x${`0${n}`.repeat(20)}` as const)
/** as many as one batch inserts within the time limit of a request on a busy machine */
const idsOfBatch = 1_000
/** Indexed blocks end here: every competition of `insertCompetitions` is final. */
const competitionHead = 1_000

const toBytes = (prefix: string, size: number) =>
  sql.raw(`decode('${prefix}' || lpad(to_hex(i), ${size * 2 - prefix.length}, '0'), 'hex')`)
/** Order that wins auction `id`, and order that loses it. */
export const competitionUidOf = (kind: 'winner' | 'loser', id: number): Hex =>
  `0x${kind === 'winner' ? 'aa' : 'bb'}${id.toString(16).padStart(110, '0')}`
export const transactionOf = (id: number): Hex => `0x${'cc'}${id.toString(16).padStart(62, '0')}`

/**
 * Settled competitions of one network and time, with ids in a range. In each, solver 51 wins with the order `winner`; solver
 * 52 loses with both orders, and solver 53 with the order `loser` alone.
 */
export const insertCompetitions = async (
  database: Database,
  chainId: number,
  [first, last]: [first: number, last: number],
  createdAt: Date,
): Promise<void> => {
  for (let id = first; id <= last; id += idsOfBatch)
    await insertBatch(database, chainId, [id, Math.min(last, id + idsOfBatch - 1)], createdAt)
}

const insertBatch = async (
  database: Database,
  chainId: number,
  [first, last]: [first: number, last: number],
  createdAt: Date,
): Promise<void> => {
  const chain = sql.raw(String(chainId))
  const [winner, loser, hash] = [toBytes('aa', 56), toBytes('bb', 56), toBytes('cc', 32)]
  const series = sql`from generate_series(${first}::bigint, ${last}::bigint) as i`
  const prices = Object.fromEntries(competitionTokens.map((token, n) => [token, `${n + 1}000`]))
  const solver = (n: number) => sql.raw(`'\\x${`5${n}`.repeat(20)}'::bytea`)
  const token = (n: number) => sql.raw(`'\\x${`0${n}`.repeat(20)}'::bytea`)
  const at = sql`${createdAt.toISOString()}::timestamptz`
  const solution = (place: number, order: typeof winner, bought: number) => sql`
    select ${chain}, i, ${sql.raw(String(place))}, ${order}, 'sell'::order_kind, ${token(1)}, ${token(bought)}, 100, 90, 100,
      95 - ${sql.raw(String(place))}, '["3"]'::jsonb ${series}`
  const statements = [
    sql`insert into blocks (chain_id, number, hash, timestamp)
      values (${chain}, ${competitionHead}, ${sql.raw(`'\\x${'b0'.repeat(32)}'`)}, ${at}) on conflict do nothing`,
    sql`insert into auctions (chain_id, id, block, deadline_block, order_count, prices, left_out, created_at)
      select ${chain}, i, 100, 105, 7, ${JSON.stringify(prices)}::jsonb,
        '[{"solver":"0x54","kind":"suspended","reason":"until later"}]', ${at} ${series}`,
    sql`insert into solutions (chain_id, auction_id, uid, solution_id, solver, is_winner, filtered_out, score, reference_score)
      select ${chain}, i, 0, 7, ${solver(1)}, true, false, 2::numeric ^ 130, 4 ${series}
      union all select ${chain}, i, 1, 8, ${solver(2)}, false, false, 3, null ${series}
      union all select ${chain}, i, 2, 9, ${solver(3)}, false, true, 1, null ${series}`,
    sql`insert into solution_orders (chain_id, auction_id, solution_uid, order_uid, side, sell_token, buy_token, limit_sell,
        limit_buy, executed_sell, executed_buy, protocol_fees)
      ${solution(0, winner, 2)} union all ${solution(1, winner, 2)} union all ${solution(1, loser, 3)}
      union all ${solution(2, loser, 3)}`,
    sql`insert into fee_policies (chain_id, auction_id, order_uid, application_order, kind, volume_factor)
      select ${chain}, i, ${winner}, 0, 'volume'::fee_policy_kind, 0.01 ${series}
      union all select ${chain}, i, ${loser}, 0, 'volume', 0.015 ${series}`,
    sql`insert into settlement_attempts (chain_id, auction_id, solution_uid, solver, started_at, start_block, deadline_block,
        ended_at, end_block, outcome)
      select ${chain}, i, 0, ${solver(1)}, ${at}, 100, 105, ${at}, 103, 'success' ${series}`,
    sql`insert into settlements (chain_id, block_number, log_index, transaction_hash, settled_at, solver, auction_id, solution_uid,
        gas_used, effective_gas_price)
      select ${chain}, 103, i, ${hash}, ${at}, ${solver(1)}, i, 0, 1, 1 ${series}`,
    sql`insert into auction_entries (chain_id, order_uid, entered_auction_id, left_auction_id)
      select ${chain}, ${winner}, i, i + 1 ${series} union all select ${chain}, ${loser}, i, i + 1 ${series}`,
  ]
  await runBatch(
    database,
    statements.map((statement) => database.execute(statement)),
  )
}

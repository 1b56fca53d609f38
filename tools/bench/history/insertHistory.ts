import { Client } from 'pg'
import { networks } from '#shared/networks.ts'
import { buildHistoryConditions } from './buildHistoryConditions.ts'
import { countOpen, tipOf } from './countOpen.ts'
import {
  buyColumn,
  bytesOf,
  codeColumn,
  farValidTo,
  historyBuyToken,
  historySellToken,
  historyUidOf,
  ownerColumn,
  sellColumn,
  solverColumn,
  uidColumn,
  userColumn,
} from './historyColumns.ts'
import { historyFacts, historyPlan } from './historyDocuments.ts'

/** Accounts that subscribe to notifications. */
export const subscribers = (orders: number): number => Math.ceil(orders / 20)

/** Runs a statement without parameters. */
type RunText = (text: string) => Promise<{ rows: Record<string, unknown>[] }>

/** Fills an empty database of a server with `writeHistory`. */
export const insertHistory = async (serverUrl: string, chainId: number, orders: number): Promise<void> => {
  // its own connection: a statement may take longer than a request to the local endpoint
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query("set synchronous_commit = off; set maintenance_work_mem = '256MB'")
    await writeHistory((text) => client.query(text), chainId, orders)
  } finally {
    await client.end()
  }
}

/**
 * Writes a network's history over 300 days into an empty database: four of five orders are filled, one of a hundred is
 * open, and all of them stay valid; what is neither has been cancelled. Each filled order has a quote, events, a trade,
 * two notifications and its part in a competition; ten orders share an auction with three solutions. Some orders were
 * invalidated, pre-signed, placed or refunded on-chain, some failed, and some accounts subscribe to notifications.
 */
export const writeHistory = async (run: RunText, chainId: number, orders: number): Promise<void> => {
  const { filled, time, isInvalidated, isPresigned, isRefunded, isRunning } = buildHistoryConditions(orders)
  const auctions = Math.floor(orders / 10)
  const series = (from: string, where = 'true') =>
    `from generate_series(1::bigint, ${orders}) as i ${from} where ${where}`
  const { rows } = await run('select pg_current_xact_id()::text as id')
  const newest = Number(rows[0]?.id)
  const statements = [
    `insert into app_data (hash, full_app_data) values (${bytesOf('1', 32)}, '{}')`,
    `insert into orders (chain_id, uid, owner, sell_token, buy_token, sell_amount, buy_amount, valid_to, app_data_hash, fee_amount,
      kind, partially_fillable, sell_token_balance, buy_token_balance, signing_scheme, signature, settlement_contract, class,
      full_balance_check, created_at, onchain_user, executed_sell_amount, executed_buy_amount, admission_ms, referrer_code,
      invalidated, presigned, refund_transaction_hash, cancelled_at)
    select ${chainId}, ${uidColumn}, ${ownerColumn}, ${sellColumn}, ${buyColumn}, 1000, 1000, ${farValidTo}, ${bytesOf('1', 32)}, 0,
      case when i % 3 = 0 then 'buy' else 'sell' end::order_kind, false, 'erc20', 'erc20', 'eip712', ${bytesOf('i', 65)},
      ${bytesOf('1', 20)}, case when i % 2 = 0 then 'limit' else 'market' end::order_class, false, ${time}, ${userColumn},
      case when ${filled} then 1000 else 0 end, case when ${filled} then 1000 else 0 end, 20,
      ${codeColumn}, ${isInvalidated}, ${isPresigned}, case when ${isRefunded} then ${bytesOf('i', 32)} end,
      case when i <= ${tipOf(orders)} and not (${filled}) then ${time} end
    ${series('')}`,
    `insert into order_quotes (chain_id, order_uid, quote_id, sell_amount, buy_amount, gas_amount, gas_price, sell_token_price,
      fee_amount, solver, verified, metadata)
    select ${chainId}, ${uidColumn}, i, 1000, 1000, 1, 1, 1, 1, ${solverColumn}, true, '${historyPlan}' ${series('')}`,
    `insert into quotes (chain_id, sell_token, buy_token, sell_amount, buy_amount, kind, quote_kind, gas_amount, gas_price,
      sell_token_price, fee_amount, solver, verified, metadata, elapsed_ms, created_at, expires_at)
    select ${chainId}, ${sellColumn}, ${buyColumn}, 1000 + i, 1000, 'sell', 'standard', 1, 1, 1, 1, ${solverColumn}, true, '${historyPlan}', 100,
      ${time}, ${time} + interval '1 minute' ${series('')}`,
    `insert into order_events (chain_id, order_uid, key, label, created_at, auction_id, block_number, written_by)
    select ${chainId}, ${uidColumn}, case label when 'traded' then 'traded:' || i || ':0' else label end, label::order_event_label, ${time}, null,
      case label when 'traded' then i end, (i * ${newest}::bigint / ${orders})::text::xid8
    ${series("cross join unnest(array['created', 'ready', 'executing', 'traded']) as label", `label in ('created', 'ready') or ${filled}`)} order by i`,
    `insert into invalidations (chain_id, block_number, log_index, transaction_hash, owner, order_uid)
    select ${chainId}, i, 2, ${bytesOf('i', 32)}, ${ownerColumn}, ${uidColumn} ${series('', isInvalidated)}`,
    `insert into presignatures (chain_id, block_number, log_index, owner, order_uid, signed)
    select ${chainId}, i, 3, ${ownerColumn}, ${uidColumn}, true ${series('', isPresigned)}`,
    `insert into conditional_orders (chain_id, owner, hash, handler, salt, static_input, proof, block_number, log_index,
      judged_block, part_uid)
    select chain_id, owner, substring(uid from 1 for 32), owner, substring(uid from 1 for 32), '', '[]', 1, 0, 1, uid
    from orders where chain_id = ${chainId} and valid_to % 50 = 0`,
    `insert into conditional_parts (chain_id, order_uid, owner, hash, placed_block)
    select chain_id, part_uid, owner, hash, 1 from conditional_orders where chain_id = ${chainId}`,
    `insert into order_placements (chain_id, block_number, log_index, order_uid, contract, sender, placed_at)
    select ${chainId}, i, 4, ${uidColumn}, ${ownerColumn}, ${userColumn}, ${time} ${series('', `i <= ${tipOf(orders)} and ${userColumn} is not null`)}`,
    `insert into order_refunds (chain_id, block_number, log_index, order_uid, transaction_hash)
    select ${chainId}, i, 5, ${uidColumn}, ${bytesOf('i', 32)} ${series('', isRefunded)}`,
    // the older half is archived, each with the orders that only other solutions had, and order 9 in all of them
    `insert into auctions (chain_id, id, block, deadline_block, order_count, prices, created_at, archive_key, losing_orders)
    select ${chainId}, i / 10, i, i + 5, ${countOpen(orders)},
      jsonb_build_object('${historySellToken}', '1000000000000000000', '${historyBuyToken}', '1000000000000000000'), ${time},
      case when i < ${orders} / 2 then 'key' end, case when i < ${orders} / 2 then (
        select array_agg(('x' || left(md5(lost.uid), 16))::bit(64)::bigint)
        from (select ${uidColumn} as uid from generate_series(i, i + 9) as i
          union select decode('${historyUidOf(9).slice(2)}', 'hex')) as lost) end
    ${series('', 'i % 10 = 0')}`,
    `insert into current_auctions (chain_id, id, block, prices) select chain_id, id + 1, block, prices from auctions order by id desc limit 1`,
    `insert into solutions (chain_id, auction_id, uid, solution_id, solver, is_winner, filtered_out, score)
    select ${chainId}, i / 10, place, place, ${bytesOf('(i / 10 + place) % 5 + 80', 20)}, place = 0, false, 1000 - place
    ${series('cross join generate_series(0, 2) as place', 'i % 10 = 0')}`,
    `insert into solution_orders (chain_id, auction_id, solution_uid, order_uid, side, sell_token, buy_token, limit_sell, limit_buy,
      executed_sell, executed_buy)
    select ${chainId}, greatest(i / 10, 1), place, ${uidColumn}, 'sell', ${sellColumn}, ${buyColumn}, 1000, 1000, 1000, 1000
    ${series('cross join generate_series(0, 1) as place', filled)}`,
    `insert into fee_policies (chain_id, auction_id, order_uid, application_order, kind, volume_factor)
    select ${chainId}, greatest(i / 10, 1), ${uidColumn}, 0, 'volume', 0.01 ${series('', filled)}`,
    `insert into auction_entries (chain_id, order_uid, entered_auction_id, left_auction_id, body)
    select ${chainId}, ${uidColumn}, greatest(i / 10, 1), case when i <= ${tipOf(orders)} then i / 10 + 1 end,
      case when i > ${tipOf(orders)} then '{}'::json end ${series('')}`,
    `insert into settlement_attempts (chain_id, auction_id, solution_uid, solver, started_at, start_block, deadline_block, ended_at,
      end_block, outcome)
    select ${chainId}, i / 10, 0, ${bytesOf('i / 10 % 5 + 80', 20)}, ${time}, i, i + 5,
      case when not ${isRunning} then ${time} end, case when not ${isRunning} then i end,
      case when ${isRunning} then null when i % 1000 = 0 then 'timeout' else 'success' end
    ${series('', `i <= ${tipOf(orders)} and i % 10 = 0`)}`,
    `insert into settlement_failures (chain_id, order_uid, solver, failures, last_outcome, last_block)
    select ${chainId}, ${uidColumn}, ${solverColumn}, 1, 'timeout', i
    ${series('', `i > ${tipOf(orders)} and i % 10 = 5`)}`,
    `insert into settlements (chain_id, block_number, log_index, transaction_hash, settled_at, solver, auction_id, solution_uid,
      gas_used, effective_gas_price)
    select ${chainId}, i, 1, ${bytesOf('i', 32)}, ${time}, ${solverColumn}, greatest(i / 10, 1), i % 10, 1, 1 ${series('', filled)}`,
    `insert into trades (chain_id, block_number, log_index, transaction_hash, order_uid, owner, sell_token, buy_token, sell_amount,
      buy_amount, fee_amount, settlement_log_index)
    select ${chainId}, i, 0, ${bytesOf('i', 32)}, ${uidColumn}, ${ownerColumn}, ${sellColumn}, ${buyColumn}, 1000, 1001, 0, 1
    ${series('', filled)}`,
    `insert into trade_values (chain_id, block_number, log_index, settled_at, trader, solver, sell_token, buy_token, sell_amount,
      buy_amount, volume, surplus)
    select ${chainId}, i, 0, ${time}, coalesce(${userColumn}, ${ownerColumn}), ${solverColumn}, ${sellColumn}, ${buyColumn}, 1000, 1001,
      1000, 1 ${series('', filled)}`,
    // as the indexer leaves them: the hours of the newest blocks have no sum yet
    `insert into referred_hours (trader, hour, chain_id, code, is_registered, first_settled_at, first_block, first_log_index, last_block,
      value, trades, valued_trades)
    select trader, hour, ${chainId}, 'CODE', true, min(settled_at), min(i), 0, max(i), case when max(i) <= ${tipOf(orders) - 64} then 0 end,
      case when max(i) <= ${tipOf(orders) - 64} then count(*) end, case when max(i) <= ${tipOf(orders) - 64} then 0 end
    from (
      select i, coalesce(${userColumn}, ${ownerColumn}) as trader, ${time} as settled_at,
        date_bin(interval '1 hour', ${time}, timestamptz '2000-01-01 00:00:00Z') as hour
      ${series('', `${filled} and ${codeColumn} is not null`)}
    ) as traded group by 1, 2`,
    // as the indexer leaves them: without the trades of 64 blocks before the open orders
    `insert into account_surplus (chain_id, account, through_block, total)
    select ${chainId}, account, max(i), count(*) * 1e18
    from (select i, unnest(array[${ownerColumn}, ${userColumn}]) as account ${series('', `${filled} and i <= ${orders - countOpen(orders) - 64}`)}) as traded
    where account is not null group by account`,
    `insert into executions (chain_id, auction_id, order_uid, block_number, executed_fee, executed_fee_token, protocol_fees)
    select ${chainId}, greatest(i / 10, 1), ${uidColumn}, i, 1, ${sellColumn}, '[]' ${series('', filled)}`,
    // the newest fifty wait for their deliveries
    `insert into notifications (chain_id, account, order_uid, type, key, event_id, block_number, facts, created_at, dispatched_revision)
    select ${chainId}, coalesce(${userColumn}, ${ownerColumn}), ${uidColumn}, type::notification_type, encode(${bytesOf('i', 32)}, 'hex') || ':1', i, i,
      '${historyFacts}', ${time}, case when i <= ${tipOf(orders) - 25} then 1 else 0 end
    ${series("cross join unnest(array['order_filled', 'price_improvement']) as type", filled)} order by i`,
    `insert into subscriptions (id, account, signer_chain_id, channel, target, types, networks, unsubscribe_token, created_at, confirmed_at,
      confirm_token)
    select ('00000000-0000-0000-0000-' || lpad(i::text, 12, '0'))::uuid, ${bytesOf('case when i = 1 then 176 else i % 20011 + 65536 end', 20)}, 0,
      'telegram', 'chat ' || i, array['order_filled']::notification_type[], array[${chainId}], 'unsubscribe ' || i, ${time},
      case when i % 20 > 0 then ${time} end, case when i % 20 = 0 then 'confirm ' || i end
    from generate_series(1::bigint, ${subscribers(orders)}) as i`,
    // every tenth died, and the last two hundred are due
    `insert into deliveries (notification_id, subscription_id, revision, is_correction, state, attempts, created_at, next_attempt_at)
    select n.id, '00000000-0000-0000-0000-000000000001', 1, false,
      case when n.id > last.id - 2000 then 'pending' when n.id % 100 = 0 then 'dead' else 'delivered' end::delivery_state, 1,
      n.created_at, n.created_at
    from notifications as n cross join (select max(id) as id from notifications) as last where n.id % 10 = 0 order by n.id`,
    `insert into signed_nonces (account, nonce, expires_at)
    select ${bytesOf('i', 20)}, ${bytesOf('i', 32)}, ${time} + interval '5 minutes' ${series('', `i > ${tipOf(orders)}`)}`,
    `insert into yield_pools (chain_id, id, contract_address, project, apr, tvl)
    select ${chainId}, 'pool ' || i, ${bytesOf('i', 20)}, 'project ' || i % 20, 1, i from generate_series(1::bigint, 1000) as i`,
    `insert into blocks (chain_id, number, hash, timestamp)
    select ${chainId}, i, ${bytesOf('i', 32)}, ${time} from generate_series(${orders - 63}::bigint, ${orders}) as i`,
    `insert into price_samples (chain_id, token, sampled_at, price)
    select ${chainId}, token, ${time}, 1
    ${series(`cross join unnest(array[${bytesOf('112', 20)}, ${bytesOf('113', 20)}, decode('${networks.sepolia.wrappedNative.slice(2)}', 'hex')]) as token`, `i % ${Math.ceil(orders / 20_000)} = 0`)}`,
    `insert into tokens (chain_id, address, decimals, symbol) select ${chainId}, ${bytesOf('i', 20)}, 18, 'T' || i
    from generate_series(112::bigint, 8300) as i`,
    `insert into affiliates (wallet_address, code, signed_message, signed_message_hash, reward_amount, trigger_volume, time_cap_days,
      volume_cap, revenue_split_affiliate_pct, revenue_split_trader_pct, revenue_split_dao_pct, created_at)
    values (${bytesOf('1', 20)}, 'CODE', ${bytesOf('1', 65)}, ${bytesOf('1', 32)}, 1, 1, 100, 0, 50, 50, 0, now() - interval '301 days')`,
    // as another database left them: a trade of each of ten accounts, without a code
    `insert into trade_carries (chain_id) values (${chainId})`,
    `insert into carried_trades (chain_id, block_number, log_index, settled_at, trader, transaction_hash, order_uid, sell_token, buy_token,
      sell_amount, buy_amount, order_created_at)
    select ${chainId}, ${orders} + i, 0, ${time}, ${bytesOf('i', 20)}, ${bytesOf('i', 32)}, ${uidColumn}, ${sellColumn}, ${buyColumn}, 1, 1, ${time}
    from generate_series(1::bigint, 10) as i`,
    `insert into affiliate_payouts (wallet_address, role, chain_id, transaction_hash, amount)
    values (${bytesOf('1', 20)}, 'affiliate', ${chainId}, ${bytesOf('1', 32)}, 1)`,
    `insert into alarms (chain_id, key, crossed_at, alerts, alerted_at) values (${chainId}, 'noHead', now(), 1, now())`,
    `insert into alerts (chain_id, key, kind, channel, value, crossed_at, created_at, next_attempt_at)
    values (${chainId}, 'noHead', 'raised', 'webhook', 'no response', now(), now(), now())`,
    `insert into chain_differences (chain_id, subject, description) values (${chainId}, 'index', 'logs of block 1 are missing')`,
    `insert into pauses (chain_id, subject, reason) values (${chainId}, 'token:0x${'01'.repeat(20)}', 'no token of the history')`,
    `insert into solver_suspensions (chain_id, solver, auction_id, "from", until, reason, failures, level)
    select ${chainId}, ${bytesOf('i % 5 + 80', 20)}, i, now() - interval '2 days', now() - interval '1 day', 'timeout', 3, 1
    from generate_series(1, ${Math.ceil(auctions / 1_000)}) as i`,
  ]
  // an index of a full table is made in a fraction of the time that its entries take one by one
  const { rows: indexes } = await run(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class as c on c.oid = indexrelid
    where relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)`)
  for (const { name } of indexes) await run(`drop index ${name}`)
  for (const statement of statements) await run(statement)
  for (const { definition } of indexes) await run(String(definition))
  await run('vacuum analyze')
}

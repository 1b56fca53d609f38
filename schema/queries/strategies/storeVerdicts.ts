import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { ConditionalState, VerdictData } from '#shared/strategies/conditionalOrder.ts'
import type { Database } from '../../client.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { conditionalParts } from '../../tables/orders/conditionalParts.ts'
import { orders } from '../../tables/orders/orders.ts'
import type { IndexedBlock } from '../chain/blocks.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { runBatch } from '../fragments/runBatch.ts'
import { insertNotifications, loggedColumns } from '../notifications/notifications.ts'
import { insertChanges, toEventKey } from './conditionalEvents.ts'
import type { ConditionalKey, JudgedKey } from './selectDue.ts'

/** The outcome of an evaluation, and when the next one is due. */
export type StoredVerdict = ConditionalKey & {
  state: ConditionalState
  nextBlock: number
  nextTime: number
  failures: number
  unfilled: number
  verdict: VerdictData
  /** newest part */
  partUid: Hex | null
  /** block of the evaluation before it */
  judgedBlock: number | null
  /** what it may change, for the log */
  change: ConditionalChange | null
}

/** A change for the log of events. `partCount`: number of parts of a TWAP. */
export type ConditionalChange =
  | { label: 'opened' }
  /** `isRepeated`: it was traded since the last time */
  | { label: 'slowed'; isRepeated: boolean }
  | { label: 'ended'; reason: 'finished' | 'cancelled' | 'failed'; partCount: number | null }

/** Parts of one conditional order that its removal cancels: as many as an owner has open orders. */
const maxCancelled = 100
/** of a cancellation that no log shows */
const noTransaction = sql`decode(repeat('00', 32), 'hex')`

const eventKey = toEventKey(sql`owner`, sql`hash`)

/**
 * Stores the outcomes of one block's evaluations, logs what they change and notifies of ends. Those whose proof was posted are in the log from
 * their first part on: posting costs nothing. Indexing continues meanwhile: nothing is stored when the block was replaced,
 * nor for an order that a later event made due again.
 */
export const storeVerdicts = async (
  database: Database,
  chainId: number,
  block: IndexedBlock,
  verdicts: readonly StoredVerdict[],
): Promise<void> => {
  if (verdicts.length === 0) return
  const list = JSON.stringify(
    verdicts.map(({ owner, hash, partUid, ...verdict }) => ({
      ...verdict,
      owner: owner.slice(2),
      hash: hash.slice(2),
      partUid: partUid?.slice(2) ?? null,
    })),
  )
  const removed = verdicts.filter(({ verdict }) => verdict.reason === 'removed')
  await runBatch(database, [
    lockBlock(database, chainId, block),
    database.execute(sql`
      with judged as (
      update ${conditionalOrders} as c set state = v.state, next_block = v."nextBlock", next_time = v."nextTime",
        failures = v.failures, unfilled = v.unfilled, judged_block = ${block.number}::bigint, verdict = v.verdict,
        part_uid = coalesce(decode(v."partUid", 'hex'), c.part_uid)
      from jsonb_to_recordset(${list}::jsonb) as v(owner text, hash text, state text, "nextBlock" bigint,
        "nextTime" bigint, failures integer, unfilled integer, verdict jsonb, "partUid" text, "judgedBlock" bigint, change jsonb)
      where c.chain_id = ${chainId} and c.owner = decode(v.owner, 'hex') and c.hash = decode(v.hash, 'hex')
        and c.judged_block is not distinct from v."judgedBlock" and ${isIndexed(chainId, block)}
      returning c.owner, c.hash, c.judged_block, c.transaction_hash is not null or c.part_uid is not null as is_logged, v.change,
        v.verdict
      ), logged as (${insertChanges(
        chainId,
        sql`
        select ${eventKey} as event_key, concat(change->>'label', ':', judged_block) as key, change->>'label' as label,
          change->>'reason' as reason, judged_block as block_number, (change->>'isRepeated')::boolean as is_repeated,
          (change->>'partCount')::bigint as part_count,
          case when verdict ? 'message' then jsonb_build_object('message', verdict->'message') end as data
        from judged where jsonb_typeof(change) = 'object' and is_logged`,
      )} returning ${loggedColumns})
      ${insertNotifications(sql`logged`)}`),
    ...(removed.length > 0 ? [cancelParts(database, chainId, block, removed)] : []),
  ])
}

/** Ends conditional orders that their owners removed, notifies of it, and cancels their parts. */
export const endRemoved = async (
  database: Database,
  chainId: number,
  block: IndexedBlock,
  keys: readonly JudgedKey[],
): Promise<void> => {
  if (keys.length === 0) return
  const list = keys.map(({ owner, hash, judgedBlock }) => ({ owner: owner.slice(2), hash: hash.slice(2), judgedBlock }))
  await runBatch(database, [
    lockBlock(database, chainId, block),
    database.execute(sql`
      with judged as (
      update ${conditionalOrders} as c set state = 'ended', judged_block = ${block.number}::bigint,
        verdict = '{"reason":"removed"}'
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as v(owner text, hash text, "judgedBlock" bigint)
      where c.chain_id = ${chainId} and c.owner = decode(v.owner, 'hex') and c.hash = decode(v.hash, 'hex')
        and c.judged_block is not distinct from v."judgedBlock" and ${isIndexed(chainId, block)}
      returning c.owner, c.hash, c.judged_block
      ), logged as (${insertChanges(
        chainId,
        sql`
        select ${eventKey} as event_key, concat('ended:', judged_block) as key, 'ended' as label, 'cancelled' as reason,
          judged_block as block_number, false as is_repeated, null::bigint as part_count, null::jsonb as data
        from judged`,
      )} returning ${loggedColumns})
      ${insertNotifications(sql`logged`)}`),
    cancelParts(database, chainId, block, keys),
  ])
}

/**
 * Cancels the open parts of conditional orders that were found removed at a block, as an invalidation in that block does:
 * the next indexed block logs it, and a reorganisation undoes it. A removal has no log: its places in the block are negative.
 */
const cancelParts = (database: Database, chainId: number, block: IndexedBlock, keys: readonly ConditionalKey[]) => {
  const list = keys.map(({ owner, hash }) => ({ owner: owner.slice(2), hash: hash.slice(2) }))
  return database.execute(sql`
    insert into ${invalidations} (chain_id, block_number, log_index, transaction_hash, owner, order_uid)
    select c.chain_id, c.judged_block, least((select min(log_index) from ${invalidations}
        where chain_id = ${chainId} and block_number = ${block.number}::bigint), 0) - row_number() over (order by part.uid),
      ${noTransaction}, c.owner, part.uid
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as v(owner text, hash text)
    join ${conditionalOrders} as c on c.chain_id = ${chainId} and c.owner = decode(v.owner, 'hex')
      and c.hash = decode(v.hash, 'hex') and c.verdict->>'reason' = 'removed' and c.judged_block = ${block.number}::bigint
    cross join lateral (
      select ${orders.uid} as uid from ${conditionalParts} as p
      join ${orders} on ${orders.chainId} = ${chainId} and ${orders.uid} = p.order_uid
      where p.chain_id = ${chainId} and p.owner = c.owner and p.hash = c.hash
        and ${orders.cancelledAt} is null and ${isUnfilled} and ${orders.validTo} >= ${toSeconds(block)}::bigint
        and not exists (select 1 from ${invalidations} as i where i.chain_id = ${chainId} and i.order_uid = p.order_uid)
      order by p.placed_block desc limit ${maxCancelled}
    ) as part
    where ${isIndexed(chainId, block)}`)
}

/** A reorganisation waits with the deletion of this block, which precedes what it undoes. */
const lockBlock = (database: Database, chainId: number, block: IndexedBlock) =>
  database.execute(sql`select 1 from ${blocks} as b where ${isBlock(chainId, block)} for share`)

const isIndexed = (chainId: number, block: IndexedBlock) =>
  sql`exists (select 1 from ${blocks} as b where ${isBlock(chainId, block)})`

const isBlock = (chainId: number, { number, hash }: IndexedBlock) =>
  sql`b.chain_id = ${chainId} and b.number = ${number}::bigint and b.hash = decode(${hash.slice(2)}, 'hex')`

const toSeconds = ({ timestamp }: IndexedBlock): number => Math.floor(timestamp.getTime() / 1_000)

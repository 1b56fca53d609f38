import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { ConditionalState, VerdictData } from '#shared/strategies/conditionalOrder.ts'
import type { Database } from '../../client.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import type { IndexedBlock } from '../chain/blocks.ts'
import { runBatch } from '../fragments/runBatch.ts'
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
}

/** The block of an evaluation. */
type EvaluatedBlock = Pick<IndexedBlock, 'number' | 'hash'>

/**
 * Stores the outcomes of one block's evaluations. Indexing continues meanwhile: nothing is stored when the block was replaced,
 * nor for an order that a later event made due again.
 */
export const storeVerdicts = async (
  database: Database,
  chainId: number,
  block: EvaluatedBlock,
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
  await runBatch(database, [
    lockBlock(database, chainId, block),
    database.execute(sql`
      update ${conditionalOrders} as c set state = v.state, next_block = v."nextBlock", next_time = v."nextTime",
        failures = v.failures, unfilled = v.unfilled, judged_block = ${block.number}::bigint, verdict = v.verdict,
        part_uid = coalesce(decode(v."partUid", 'hex'), c.part_uid)
      from jsonb_to_recordset(${list}::jsonb) as v(owner text, hash text, state text, "nextBlock" bigint,
        "nextTime" bigint, failures integer, unfilled integer, verdict jsonb, "partUid" text, "judgedBlock" bigint)
      where c.chain_id = ${chainId} and c.owner = decode(v.owner, 'hex') and c.hash = decode(v.hash, 'hex')
        and c.judged_block is not distinct from v."judgedBlock" and ${isIndexed(chainId, block)}`),
  ])
}

/** Ends conditional orders that their owners removed. */
export const endRemoved = async (
  database: Database,
  chainId: number,
  block: EvaluatedBlock,
  keys: readonly JudgedKey[],
): Promise<void> => {
  if (keys.length === 0) return
  const list = keys.map(({ owner, hash, judgedBlock }) => ({ owner: owner.slice(2), hash: hash.slice(2), judgedBlock }))
  await runBatch(database, [
    lockBlock(database, chainId, block),
    database.execute(sql`
      update ${conditionalOrders} as c set state = 'ended', judged_block = ${block.number}::bigint,
        verdict = '{"reason":"removed"}'
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as v(owner text, hash text, "judgedBlock" bigint)
      where c.chain_id = ${chainId} and c.owner = decode(v.owner, 'hex') and c.hash = decode(v.hash, 'hex')
        and c.judged_block is not distinct from v."judgedBlock" and ${isIndexed(chainId, block)}`),
  ])
}

/** A reorganisation waits with the deletion of this block, which precedes what it undoes. */
const lockBlock = (database: Database, chainId: number, block: EvaluatedBlock) =>
  database.execute(sql`select 1 from ${blocks} as b where ${isBlock(chainId, block)} for share`)

const isIndexed = (chainId: number, block: EvaluatedBlock) =>
  sql`exists (select 1 from ${blocks} as b where ${isBlock(chainId, block)})`

const isBlock = (chainId: number, { number, hash }: EvaluatedBlock) =>
  sql`b.chain_id = ${chainId} and b.number = ${number}::bigint and b.hash = decode(${hash.slice(2)}, 'hex')`

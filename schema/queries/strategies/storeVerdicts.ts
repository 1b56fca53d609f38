import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { ConditionalState, VerdictData } from '#shared/strategies/conditionalOrder.ts'
import type { Database } from '../../client.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { conditionalParts } from '../../tables/orders/conditionalParts.ts'
import { runBatch } from '../fragments/runBatch.ts'
import type { ConditionalKey } from './selectDue.ts'

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
}

/** Stores the outcomes of one block's evaluations, with the parts that they placed. */
export const storeVerdicts = async (
  database: Database,
  chainId: number,
  block: number,
  verdicts: readonly StoredVerdict[],
): Promise<void> => {
  if (verdicts.length === 0) return
  const list = verdicts.map(({ owner, hash, partUid, ...verdict }) => ({
    ...verdict,
    owner: owner.slice(2),
    hash: hash.slice(2),
    partUid: partUid?.slice(2) ?? null,
  }))
  const parts = verdicts.flatMap(({ owner, hash, verdict }) =>
    verdict.reason === 'partPlaced' && verdict.uid
      ? [{ chainId, orderUid: verdict.uid, owner, hash, placedBlock: block }]
      : [],
  )
  await runBatch(database, [
    database.execute(sql`
      update ${conditionalOrders} as c set state = v.state, next_block = v."nextBlock", next_time = v."nextTime",
        failures = v.failures, unfilled = v.unfilled, judged_block = ${block}::bigint, verdict = v.verdict,
        part_uid = coalesce(decode(v."partUid", 'hex'), c.part_uid)
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as v(owner text, hash text, state text,
        "nextBlock" bigint, "nextTime" bigint, failures integer, unfilled integer, verdict jsonb, "partUid" text)
      where c.chain_id = ${chainId} and c.owner = decode(v.owner, 'hex') and c.hash = decode(v.hash, 'hex')`),
    ...(parts.length > 0 ? [database.insert(conditionalParts).values(parts).onConflictDoNothing()] : []),
  ])
}

/** Ends conditional orders that their owners removed. */
export const endRemoved = async (
  database: Database,
  chainId: number,
  block: number,
  keys: readonly ConditionalKey[],
): Promise<void> => {
  if (keys.length === 0) return
  const list = keys.map(({ owner, hash }) => ({ owner: owner.slice(2), hash: hash.slice(2) }))
  await database.execute(sql`
    update ${conditionalOrders} as c set state = 'ended', judged_block = ${block}::bigint, verdict = '{"reason":"removed"}'
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as v(owner text, hash text)
    where c.chain_id = ${chainId} and c.owner = decode(v.owner, 'hex') and c.hash = decode(v.hash, 'hex')`)
}

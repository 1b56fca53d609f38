import type { SettlementSql } from './settlementStore.ts'

/** Since when the first submission of the queue has been the first, and why it waits. */
export interface Progress {
  /** its solution id; null when the queue is empty */
  first: number | null
  /** Unix milliseconds */
  since: number
  /** last known obstacle, in one line without secrets; null when unknown */
  reason: string | null
}

const minStuckSeconds = 60
/** five blocks to the deadline, plus the time of a cancellation on a busy chain */
const stuckBlocks = 20

/** Seconds after which a queue with an unchanged first submission counts as stuck. */
export const computeStuckSeconds = (blockTimeSeconds: number): number =>
  Math.max(minStuckSeconds, stuckBlocks * blockTimeSeconds)

/** Persistent progress of the queue. */
export const openQueueProgress = (sql: SettlementSql) => {
  sql.exec(
    `create table if not exists progress (id integer primary key check (id = 1), first integer, since integer,
      reason text, reverts integer not null default 0)`,
  )
  sql.exec('insert or ignore into progress (id, since) values (1, 0)')
  return {
    /** @param first solution id of the first submission in flight */
    note(first: number | null, nowMs: number): void {
      sql.exec(
        'update progress set since = ?, reason = null, first = nullif(?, 0) where first is not nullif(?, 0)',
        nowMs,
        first ?? 0,
        first ?? 0,
      )
    },
    /** @returns total number of settlements that reverted on-chain */
    countRevert(): number {
      const [row] = sql.exec('update progress set reverts = reverts + 1 returning reverts').toArray()
      return Number(row?.reverts)
    },
    hinder(reason: string): void {
      sql.exec('update progress set reason = ? where id = 1', reason)
    },
    read(): Progress {
      const [row] = sql.exec('select first, since, reason from progress').toArray()
      return {
        first: row?.first == null ? null : Number(row.first),
        since: Number(row?.since),
        reason: row?.reason == null ? null : String(row.reason),
      }
    },
  }
}

export type QueueProgress = ReturnType<typeof openQueueProgress>

/** @returns why a queue counts as stuck; undefined when it does not */
export const describeStuckQueue = (
  { first, since, reason }: Progress,
  nowMs: number,
  blockTimeSeconds: number,
): string | undefined => {
  const seconds = Math.floor((nowMs - since) / 1_000)
  if (first === null || seconds <= computeStuckSeconds(blockTimeSeconds)) return undefined
  return `no progress for ${seconds} seconds: ${reason ?? 'the transaction is not mined'}`
}

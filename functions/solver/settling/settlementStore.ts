import type { Hex } from 'viem'
import type { SignedTransaction } from '../sending/signTransaction.ts'
import type { SolutionDraft } from '../solutions/buildDraft.ts'
import { formatDraft, parseDraft } from '../solutions/formatDraft.ts'
import {
  type ConfirmingSubmission,
  type SettlementCall,
  type SettlementOutcome,
  type Submission,
  toConfirming,
  toSubmission,
} from './submission.ts'

/** Required part of a Durable Object's SQL storage: synchronous, and durable before any output is sent. */
export interface SettlementSql {
  exec(query: string, ...values: (string | number)[]): { toArray(): Record<string, unknown>[] }
}

/** number of newest auctions whose solutions can still be settled */
const storedAuctions = 5
/** pseudo auction id of transactions that fill nonce gaps; they settle nothing */
const noAuction = ''
const isUnfinished = `state in ('queued', 'sent', 'cancelling')`
const queueOrder = `state = 'queued', nonce, solution_id`

/**
 * Persistent store of the solver. Solution ids are never reused, so a solution is settled at most once under its id.
 * The signed transaction is stored before it is broadcast, so it survives a restart. All transactions ever signed for
 * one submission have one nonce, so at most one of them is mined.
 */
export const openSettlementStore = (sql: SettlementSql) => {
  sql.exec(`create table if not exists submissions (
    solution_id integer primary key autoincrement,
    auction_id text not null,
    calldata text not null,
    state text not null default 'proposed',
    reason text,
    deadline_block integer not null default 0,
    signed text,
    settlement_hash text,
    access_list text not null default '[]',
    fallback text,
    draft text,
    sent_calldata text,
    nonce integer,
    confirmed_at integer not null default 0
  )`)

  /** Parsed drafts by solution id: they are large, never change, and each step reads its submissions several times. */
  const drafts = new Map<number, SolutionDraft>()
  const readDraft = (row: Record<string, unknown>): SolutionDraft | undefined => {
    if (!row.draft) return undefined
    const id = Number(row.solution_id)
    const draft = drafts.get(id) ?? parseDraft(String(row.draft))
    drafts.set(id, draft)
    return draft
  }
  const select = <T>(query: string, values: (string | number)[], read: (row: Record<string, unknown>) => T): T[] =>
    sql
      .exec(query, ...values)
      .toArray()
      .flatMap((row) => {
        try {
          return [read(row)]
        } catch {
          sql.exec(
            `update submissions set state = 'finished', reason = 'its record is unreadable', signed = null,
              settlement_hash = null, access_list = '[]' where solution_id = ?`,
            Number(row.solution_id),
          )
          return []
        }
      })
  const selectWhere = (condition: string, ...values: (string | number)[]): Submission[] =>
    select(`select * from submissions where ${condition}`, values, (row) => toSubmission(row, readDraft(row)))

  const setNonce = (solutionId: number, nonce: number): void => {
    const [row] = sql
      .exec(
        'update submissions set nonce = coalesce(nonce, ?) where solution_id = ? returning nonce',
        nonce,
        solutionId,
      )
      .toArray()
    if (Number(row?.nonce) !== nonce) throw new Error(`submission ${solutionId} has nonce ${row?.nonce}, not ${nonce}`)
  }

  return {
    /** Stores new solutions and deletes those of old auctions without a settlement in flight. */
    insert(auctionId: string, settlements: readonly SettlementCall[]): number[] {
      const ids = settlements.map(({ calldata, accessList, fallback, draft }) => {
        const [row] = sql
          .exec(
            'insert into submissions (auction_id, calldata, access_list, fallback, draft) values (?, ?, ?, ?, ?) returning solution_id',
            auctionId,
            calldata,
            JSON.stringify(accessList),
            fallback ?? '',
            draft ? formatDraft(draft) : '',
          )
          .toArray()
        return Number(row?.solution_id)
      })
      // of old auctions, too
      drafts.clear()
      sql.exec(
        `delete from submissions where state in ('proposed', 'finished') and auction_id not in (
          select auction_id from submissions where auction_id <> ?
            group by auction_id order by max(solution_id) desc limit ?
        )`,
        noAuction,
        storedAuctions,
      )
      return ids
    },

    /** Stores an empty self-transfer for a nonce without a settlement. */
    insertFiller(signed: SignedTransaction): void {
      sql.exec(
        `insert into submissions (auction_id, calldata, state, reason, signed, nonce)
          values (?, '0x', 'cancelling', 'fills a gap of nonces', ?, ?)`,
        noAuction,
        toText(signed),
        signed.nonce,
      )
    },

    find: (auctionId: string, solutionId: number): Submission | undefined =>
      selectWhere('auction_id = ? and solution_id = ?', auctionId, solutionId)[0],

    /** Submissions in flight: those with a transaction by nonce, then waiting ones, oldest first. */
    findUnfinished: (): Submission[] => selectWhere(`${isUnfinished} order by ${queueOrder}`),

    /** Solution id of the first of them; null without any. */
    findFirstUnfinished: (): number | null => {
      const [row] = sql
        .exec(`select solution_id from submissions where ${isUnfinished} order by ${queueOrder} limit 1`)
        .toArray()
      return row ? Number(row.solution_id) : null
    },

    /** Whether a submission has a transaction in flight. */
    isSettling: (): boolean =>
      sql.exec(`select 1 from submissions where state in ('sent', 'cancelling') limit 1`).toArray().length > 0,

    /** Submissions whose transaction a reorganisation may still remove, by nonce. */
    findConfirming: (): ConfirmingSubmission[] =>
      // their proposals are large, and no longer needed
      select(
        `select solution_id, reason, signed, settlement_hash, confirmed_at from submissions
          where state = 'confirming' and signed is not null order by nonce`,
        [],
        toConfirming,
      ),

    /** Whether a submission is in flight or confirming. */
    hasWork: (): boolean =>
      sql
        .exec(
          `select 1 from submissions where ${isUnfinished}
            or (state = 'confirming' and signed is not null) limit 1`,
        )
        .toArray().length > 0,

    queue(solutionId: number, deadlineBlock: number): void {
      sql.exec(
        `update submissions set state = 'queued', deadline_block = ? where solution_id = ? and state = 'proposed'`,
        deadlineBlock,
        solutionId,
      )
    },

    /** Records the calldata that is sent instead of the proposed one. */
    replaceCalldata(solutionId: number, calldata: Hex): void {
      sql.exec('update submissions set sent_calldata = ? where solution_id = ?', calldata, solutionId)
    },

    /** @throws Error when an earlier transaction of the submission has another nonce */
    saveSettlement(solutionId: number, signed: SignedTransaction, hash: Hex): void {
      setNonce(solutionId, signed.nonce)
      sql.exec(
        `update submissions set state = 'sent', signed = ?, settlement_hash = coalesce(settlement_hash || ',', '') || ?
          where solution_id = ?`,
        toText(signed),
        hash,
        solutionId,
      )
    },

    /** @throws Error when an earlier transaction of the submission has another nonce */
    saveCancellation(solutionId: number, signed: SignedTransaction): void {
      setNonce(solutionId, signed.nonce)
      sql.exec(
        `update submissions set state = 'cancelling', signed = ? where solution_id = ?`,
        toText(signed),
        solutionId,
      )
    },

    /** Records the outcome; the first one is final unless a reorganisation removes it (`reopen`). */
    saveOutcome(solutionId: number, outcome: SettlementOutcome): void {
      sql.exec(
        'update submissions set reason = coalesce(reason, ?) where solution_id = ?',
        outcome.mined ? '' : outcome.reason || 'unknown',
        solutionId,
      )
    },

    confirm(solutionId: number, head: number): void {
      sql.exec(`update submissions set state = 'confirming', confirmed_at = ? where solution_id = ?`, head, solutionId)
    },

    /** Reopens the outcome after a reorganisation removed the transaction, unless it was cancelled. */
    reopen(solutionId: number, state: 'sent' | 'cancelling'): void {
      const outcome = state === 'sent' ? ', reason = null' : ''
      sql.exec(`update submissions set state = ?, confirmed_at = 0${outcome} where solution_id = ?`, state, solutionId)
    },

    finish(solutionId: number): void {
      sql.exec(`update submissions set state = 'finished' where solution_id = ?`, solutionId)
    },
  }
}

export type SettlementStore = ReturnType<typeof openSettlementStore>

const toText = (signed: SignedTransaction): string =>
  JSON.stringify(signed, (_, value) => (typeof value === 'bigint' ? String(value) : value))

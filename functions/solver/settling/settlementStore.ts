import type { AccessList, Hex } from 'viem'

/** The SQL of a Durable Object's storage, as far as it is used here: synchronous, durable before anything is sent out. */
export interface Sql {
  exec(query: string, ...values: (string | number)[]): { toArray(): Record<string, unknown>[] }
}

/** How a settlement ended for the one who asked for it. */
export type Outcome = { mined: true } | { mined: false; reason: string }

/**
 * - `proposed`: nobody asked to settle it
 * - `queued`: waits for its turn
 * - `sent`: its transaction is signed, and may have been broadcast
 * - `cancelling`: too late; a self-transfer takes the transaction's nonce
 * - `finished`: nothing of it is under way
 */
export type SubmissionState = 'proposed' | 'queued' | 'sent' | 'cancelling' | 'finished'

/** The transaction that settles a solution. */
export interface SettlementCall {
  calldata: Hex
  /** what it declares to touch (EIP-2930); mostly nothing */
  accessList: AccessList
}

/** One solution on its way into a block. */
export interface Submission extends SettlementCall {
  solutionId: number
  auctionId: string
  state: SubmissionState
  outcome: Outcome | undefined
  /** the last block that may hold it; 0 before anybody asked to settle it */
  deadlineBlock: number
  /** of the transaction that was signed last, the settlement or its cancellation; undefined before */
  signed: SignedTransaction | undefined
  /** hash of the settlement itself */
  settlementHash: Hex | undefined
}

export interface SignedTransaction {
  raw: Hex
  nonce: number
  /** wei */
  maxFeePerGas: bigint
  /** wei */
  maxPriorityFeePerGas: bigint
  /** head when it was signed */
  atBlock: number
}

/** auctions whose solutions can still be settled */
const keptAuctions = 5

/**
 * The solver's memory. A solution id is never given twice, so a solution is settled at most once under its id; the signed
 * transaction is stored before it is broadcast, so a restart finds it.
 */
export const openSettlementStore = (sql: Sql) => {
  sql.exec(`create table if not exists submissions (
    solution_id integer primary key autoincrement,
    auction_id text not null,
    calldata text not null,
    state text not null default 'proposed',
    reason text,
    deadline_block integer not null default 0,
    signed text,
    settlement_hash text,
    access_list text not null default '[]'
  )`)
  const [table] = sql.exec(`select sql from sqlite_master where name = 'submissions'`).toArray()
  if (!String(table?.sql).includes('access_list'))
    sql.exec(`alter table submissions add column access_list text not null default '[]'`)

  const selectWhere = (condition: string, ...values: (string | number)[]): Submission[] =>
    sql
      .exec(`select * from submissions where ${condition}`, ...values)
      .toArray()
      .map(toSubmission)

  return {
    /** Keeps new solutions and forgets those of old auctions that nobody settles. */
    insert(auctionId: string, settlements: readonly SettlementCall[]): number[] {
      const ids = settlements.map(({ calldata, accessList }) => {
        const [row] = sql
          .exec(
            'insert into submissions (auction_id, calldata, access_list) values (?, ?, ?) returning solution_id',
            auctionId,
            calldata,
            JSON.stringify(accessList),
          )
          .toArray()
        return Number(row?.solution_id)
      })
      sql.exec(
        `delete from submissions where state in ('proposed', 'finished') and auction_id not in (
          select auction_id from submissions group by auction_id order by max(solution_id) desc limit ?
        )`,
        keptAuctions,
      )
      return ids
    },

    find: (auctionId: string, solutionId: number): Submission | undefined =>
      selectWhere('auction_id = ? and solution_id = ?', auctionId, solutionId)[0],

    /** Under way, oldest first; at most one of them is beyond `queued`. */
    findUnfinished: (): Submission[] =>
      selectWhere(`state in ('queued', 'sent', 'cancelling') order by state = 'queued', solution_id`),

    queue(solutionId: number, deadlineBlock: number): void {
      sql.exec(
        `update submissions set state = 'queued', deadline_block = ? where solution_id = ? and state = 'proposed'`,
        deadlineBlock,
        solutionId,
      )
    },

    saveSettlement(solutionId: number, signed: SignedTransaction, hash: Hex): void {
      sql.exec(
        `update submissions set state = 'sent', signed = ?, settlement_hash = ? where solution_id = ?`,
        toText(signed),
        hash,
        solutionId,
      )
    },

    saveCancellation(solutionId: number, signed: SignedTransaction): void {
      sql.exec(
        `update submissions set state = 'cancelling', signed = ? where solution_id = ?`,
        toText(signed),
        solutionId,
      )
    },

    /** Records the outcome; the first one stands. */
    saveOutcome(solutionId: number, outcome: Outcome): void {
      sql.exec(
        'update submissions set reason = coalesce(reason, ?) where solution_id = ?',
        outcome.mined ? '' : outcome.reason || 'unknown',
        solutionId,
      )
    },

    finish(solutionId: number): void {
      sql.exec(`update submissions set state = 'finished' where solution_id = ?`, solutionId)
    },
  }
}

export type SettlementStore = ReturnType<typeof openSettlementStore>

const toText = (signed: SignedTransaction): string =>
  JSON.stringify(signed, (_, value) => (typeof value === 'bigint' ? String(value) : value))

const fromText = (text: string): SignedTransaction => {
  const signed = JSON.parse(text)
  return {
    ...signed,
    maxFeePerGas: BigInt(signed.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(signed.maxPriorityFeePerGas),
  }
}

/** Column `reason`: null while nothing is decided, empty when it was mined. */
const toSubmission = (row: Record<string, unknown>): Submission => ({
  solutionId: Number(row.solution_id),
  auctionId: String(row.auction_id),
  calldata: String(row.calldata) as Hex,
  accessList: JSON.parse(String(row.access_list)) as AccessList,
  state: row.state as SubmissionState,
  outcome:
    row.reason === null
      ? undefined
      : row.reason === ''
        ? { mined: true }
        : { mined: false, reason: String(row.reason) },
  deadlineBlock: Number(row.deadline_block),
  signed: row.signed === null ? undefined : fromText(String(row.signed)),
  settlementHash: row.settlement_hash === null ? undefined : (String(row.settlement_hash) as Hex),
})

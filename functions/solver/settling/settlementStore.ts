import { type AccessList, type Hex, isHex } from 'viem'
import { formatDraft, parseDraft, type SolutionDraft } from '../solutions/solutionDraft.ts'

/** Required part of a Durable Object's SQL storage: synchronous, and durable before any output is sent. */
export interface SettlementSql {
  exec(query: string, ...values: (string | number)[]): { toArray(): Record<string, unknown>[] }
}

/** Outcome of a settlement for the requester. */
export type SettlementOutcome = { mined: true } | { mined: false; reason: string }

/**
 * - `proposed`: no settle request yet
 * - `queued`: waiting to be sent
 * - `sent`: its transaction is signed, and may have been broadcast
 * - `cancelling`: past its deadline; a self-transfer replaces the transaction
 * - `confirming`: its nonce is used on-chain, in a block that a reorganisation can still remove
 * - `finished`: no transaction in flight
 */
export type SubmissionState = 'proposed' | 'queued' | 'sent' | 'cancelling' | 'confirming' | 'finished'

/** The transaction that settles a solution. */
export interface SettlementCall {
  calldata: Hex
  /** access list (EIP-2930); usually empty */
  accessList: AccessList
  /** fallback calldata, used when the first one reverts in simulation; undefined without one */
  fallback?: Hex | undefined
  /** for computing it again with newer pools; undefined when it is settled only as proposed */
  draft?: SolutionDraft | undefined
}

/** One solution and the state of its settlement. */
export interface Submission extends SettlementCall {
  solutionId: number
  auctionId: string
  state: SubmissionState
  outcome: SettlementOutcome | undefined
  /** last block that may contain it; 0 before the settle request */
  deadlineBlock: number
  /** calldata of the last signed settlement when it is not the proposed one */
  sentCalldata: Hex | undefined
  /** last signed transaction, the settlement or its cancellation; undefined before */
  signed: SignedTransaction | undefined
  /** hashes of the settlement, one for each signed version; all have one nonce */
  settlementHashes: Hex[]
  /** head when its nonce was first seen used on-chain; 0 before */
  confirmedAt: number
}

/** A submission with a transaction. */
export type SignedSubmission = Submission & { signed: SignedTransaction }

/** Facts of a submission whose transaction a reorganisation may still remove. */
export type ConfirmingSubmission = Pick<
  SignedSubmission,
  'solutionId' | 'signed' | 'outcome' | 'settlementHashes' | 'confirmedAt'
>

export interface SignedTransaction {
  raw: Hex
  nonce: number
  /** gas limit, gas units */
  gas: bigint
  /** wei */
  maxFeePerGas: bigint
  /** wei */
  maxPriorityFeePerGas: bigint
  /** head when it was signed */
  atBlock: number
  /** whether no endpoint that may have it includes it after the deadline; absent: one may */
  isExpiring?: boolean
}

/** number of newest auctions whose solutions can still be settled */
const keptAuctions = 5
/** pseudo auction id of transactions that fill nonce gaps; they settle nothing */
const noAuction = ''

const addedColumns = {
  access_list: `text not null default '[]'`,
  fallback: 'text',
  draft: 'text',
  sent_calldata: 'text',
  nonce: 'integer',
  confirmed_at: 'integer not null default 0',
}

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
    settlement_hash text
  )`)
  addColumns(sql)

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
    select(`select * from submissions where ${condition}`, values, toSubmission)

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
      sql.exec(
        `delete from submissions where state in ('proposed', 'finished') and auction_id not in (
          select auction_id from submissions where auction_id <> ?
            group by auction_id order by max(solution_id) desc limit ?
        )`,
        noAuction,
        keptAuctions,
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
    findUnfinished: (): Submission[] =>
      selectWhere(`state in ('queued', 'sent', 'cancelling') order by state = 'queued', nonce, solution_id`),

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
          `select 1 from submissions where state in ('queued', 'sent', 'cancelling')
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

export const isSigned = (submission: Submission): submission is SignedSubmission => submission.signed !== undefined

/** Adds columns that a store of an earlier version lacks. */
const addColumns = (sql: SettlementSql): void => {
  const [table] = sql.exec(`select sql from sqlite_master where name = 'submissions'`).toArray()
  for (const [name, type] of Object.entries(addedColumns)) {
    if (String(table?.sql).includes(name)) continue
    sql.exec(`alter table submissions add column ${name} ${type}`)
    if (name === 'nonce')
      sql.exec(`update submissions set nonce = json_extract(signed, '$.nonce') where json_valid(signed)`)
  }
}

const toText = (signed: SignedTransaction): string =>
  JSON.stringify(signed, (_, value) => (typeof value === 'bigint' ? String(value) : value))

const fromText = (text: string): SignedTransaction => {
  const signed = JSON.parse(text)
  if (!isHex(signed.raw) || !Number.isSafeInteger(signed.nonce)) throw new Error('no signed transaction')
  return {
    ...signed,
    // records of an earlier version have no gas limit
    gas: BigInt(signed.gas ?? 0),
    maxFeePerGas: BigInt(signed.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(signed.maxPriorityFeePerGas),
  }
}

/** Column `reason`: null while undecided, empty when mined. */
const toOutcome = (reason: unknown): SettlementOutcome | undefined => {
  if (reason === null) return undefined
  return reason === '' ? { mined: true } : { mined: false, reason: String(reason) }
}

const toHashes = (column: unknown): Hex[] => (column === null ? [] : (String(column).split(',') as Hex[]))

const toConfirming = (row: Record<string, unknown>): ConfirmingSubmission => ({
  solutionId: Number(row.solution_id),
  signed: fromText(String(row.signed)),
  outcome: toOutcome(row.reason),
  settlementHashes: toHashes(row.settlement_hash),
  confirmedAt: Number(row.confirmed_at),
})

const toSubmission = (row: Record<string, unknown>): Submission => ({
  solutionId: Number(row.solution_id),
  auctionId: String(row.auction_id),
  calldata: String(row.calldata) as Hex,
  accessList: JSON.parse(String(row.access_list)) as AccessList,
  fallback: row.fallback ? (String(row.fallback) as Hex) : undefined,
  draft: row.draft ? parseDraft(String(row.draft)) : undefined,
  sentCalldata: row.sent_calldata ? (String(row.sent_calldata) as Hex) : undefined,
  state: row.state as SubmissionState,
  outcome: toOutcome(row.reason),
  deadlineBlock: Number(row.deadline_block),
  signed: row.signed === null ? undefined : fromText(String(row.signed)),
  settlementHashes: toHashes(row.settlement_hash),
  confirmedAt: Number(row.confirmed_at),
})

import { type AccessList, type Hex, isHex } from 'viem'

/** The SQL of a Durable Object's storage, as far as it is used here: synchronous, durable before anything is sent out. */
export interface Sql {
  exec(query: string, ...values: (string | number)[]): { toArray(): Record<string, unknown>[] }
}

/** How a settlement ended for the one who asked for it. */
export type Outcome = { mined: true } | { mined: false; reason: string }

/**
 * - `proposed`: no request to settle it yet
 * - `queued`: waits for its turn
 * - `sent`: its transaction is signed, and may have been broadcast
 * - `cancelling`: too late; a self-transfer takes the transaction's nonce
 * - `confirming`: its nonce is used on the chain, in a block that a reorganisation can still remove
 * - `finished`: nothing of it is under way
 */
export type SubmissionState = 'proposed' | 'queued' | 'sent' | 'cancelling' | 'confirming' | 'finished'

/** The transaction that settles a solution. */
export interface SettlementCall {
  calldata: Hex
  /** what it declares to touch (EIP-2930); mostly nothing */
  accessList: AccessList
  /** calldata that is sent when the first one reverts before it is sent; undefined without one */
  fallback?: Hex | undefined
}

/** One solution on its way into a block. */
export interface Submission extends SettlementCall {
  solutionId: number
  auctionId: string
  state: SubmissionState
  outcome: Outcome | undefined
  /** the last block that may hold it; 0 before the request to settle it */
  deadlineBlock: number
  /** of the transaction that was signed last, the settlement or its cancellation; undefined before */
  signed: SignedTransaction | undefined
  /** hashes of the settlement, one for each fee that it was signed with; all have one nonce */
  settlementHashes: Hex[]
  /** head when its nonce was first seen used on the chain; 0 before */
  confirmedAt: number
}

/** A submission with a transaction. */
export type SignedSubmission = Submission & { signed: SignedTransaction }

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
}

/** auctions whose solutions can still be settled */
const keptAuctions = 5
/** auction of the transactions that fill a gap of nonces; they settle nothing */
const noAuction = ''

const addedColumns = {
  access_list: `text not null default '[]'`,
  fallback: 'text',
  nonce: 'integer',
  confirmed_at: 'integer not null default 0',
}

/**
 * The solver's memory. A solution id is never given twice, so a solution is settled at most once under its id; the signed
 * transaction is stored before it is broadcast, so a restart finds it. All transactions ever signed for one submission have
 * one nonce, so the chain holds one of them at most.
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
    settlement_hash text
  )`)
  addColumns(sql)

  const selectWhere = (condition: string, ...values: (string | number)[]): Submission[] =>
    sql
      .exec(`select * from submissions where ${condition}`, ...values)
      .toArray()
      .flatMap((row) => {
        try {
          return [toSubmission(row)]
        } catch {
          sql.exec(
            `update submissions set state = 'finished', reason = 'its record is unreadable', signed = null,
              settlement_hash = null, access_list = '[]' where solution_id = ?`,
            Number(row.solution_id),
          )
          return []
        }
      })

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
    /** Keeps new solutions and forgets those of old auctions that have no settlement under way. */
    insert(auctionId: string, settlements: readonly SettlementCall[]): number[] {
      const ids = settlements.map(({ calldata, accessList, fallback }) => {
        const [row] = sql
          .exec(
            'insert into submissions (auction_id, calldata, access_list, fallback) values (?, ?, ?, ?) returning solution_id',
            auctionId,
            calldata,
            JSON.stringify(accessList),
            fallback ?? '',
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

    /** Keeps a transfer of nothing that takes a nonce for which there is no settlement. */
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

    /** Under way: those with a transaction by their nonces, then those that wait, oldest first. */
    findUnfinished: (): Submission[] =>
      selectWhere(`state in ('queued', 'sent', 'cancelling') order by state = 'queued', nonce, solution_id`),

    /** With a transaction that the chain may still lose, by their nonces. */
    findConfirming: (): SignedSubmission[] => selectWhere(`state = 'confirming' order by nonce`).filter(isSigned),

    queue(solutionId: number, deadlineBlock: number): void {
      sql.exec(
        `update submissions set state = 'queued', deadline_block = ? where solution_id = ? and state = 'proposed'`,
        deadlineBlock,
        solutionId,
      )
    },

    /** Replaces the calldata of a submission that was not sent yet. */
    takeFallback(solutionId: number): void {
      sql.exec(
        `update submissions set calldata = fallback, fallback = '' where solution_id = ? and state = 'queued'`,
        solutionId,
      )
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

    /** Records the outcome; the first one stands until the chain loses it (`reopen`). */
    saveOutcome(solutionId: number, outcome: Outcome): void {
      sql.exec(
        'update submissions set reason = coalesce(reason, ?) where solution_id = ?',
        outcome.mined ? '' : outcome.reason || 'unknown',
        solutionId,
      )
    },

    confirm(solutionId: number, head: number): void {
      sql.exec(`update submissions set state = 'confirming', confirmed_at = ? where solution_id = ?`, head, solutionId)
    },

    /** A reorganisation took the transaction off the chain: its outcome is open again, unless it was cancelled. */
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

/** Columns that a memory of an earlier version lacks. */
const addColumns = (sql: Sql): void => {
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

/** Column `reason`: null while nothing is decided, empty when it was mined. */
const toSubmission = (row: Record<string, unknown>): Submission => ({
  solutionId: Number(row.solution_id),
  auctionId: String(row.auction_id),
  calldata: String(row.calldata) as Hex,
  accessList: JSON.parse(String(row.access_list)) as AccessList,
  fallback: row.fallback ? (String(row.fallback) as Hex) : undefined,
  state: row.state as SubmissionState,
  outcome:
    row.reason === null
      ? undefined
      : row.reason === ''
        ? { mined: true }
        : { mined: false, reason: String(row.reason) },
  deadlineBlock: Number(row.deadline_block),
  signed: row.signed === null ? undefined : fromText(String(row.signed)),
  settlementHashes: row.settlement_hash === null ? [] : (String(row.settlement_hash).split(',') as Hex[]),
  confirmedAt: Number(row.confirmed_at),
})

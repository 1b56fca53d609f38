import { type AccessList, type Hex, isHex } from 'viem'
import type { SolutionId } from '#shared/solvers/driverApi.ts'
import type { SignedTransaction } from '../sending/signTransaction.ts'
import type { SolutionDraft } from '../solutions/buildDraft.ts'

/** Outcome of a settlement for the requester. */
export type SettlementOutcome = { mined: true } | { mined: false; reason: string }

/**
 * How a settlement ended; not stored.
 * - `mined`, `reverted`: in the transaction `hash`
 * - `late`: not mined by its deadline
 * - `refused`: its simulation failed before it was sent
 */
export type SettlementFate = { kind: 'mined' | 'reverted'; hash: Hex } | { kind: 'late' | 'refused' }

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
  /** id by which an engine knows its solution; undefined without an engine */
  engineId?: SolutionId | undefined
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

/** Whether a submission has a transaction. */
export const isSigned = (submission: Submission): submission is SignedSubmission => submission.signed !== undefined

const fromText = (text: string): SignedTransaction => {
  const signed = JSON.parse(text)
  if (!isHex(signed.raw) || !Number.isSafeInteger(signed.nonce)) throw new Error('no signed transaction')
  return {
    ...signed,
    gas: BigInt(signed.gas),
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

/** Reads the columns of a confirming submission. */
export const toConfirming = (row: Record<string, unknown>): ConfirmingSubmission => ({
  solutionId: Number(row.solution_id),
  signed: fromText(String(row.signed)),
  outcome: toOutcome(row.reason),
  settlementHashes: toHashes(row.settlement_hash),
  confirmedAt: Number(row.confirmed_at),
})

/** Reads a whole row, except for its draft. */
export const toSubmission = (row: Record<string, unknown>, draft: SolutionDraft | undefined): Submission => ({
  solutionId: Number(row.solution_id),
  auctionId: String(row.auction_id),
  calldata: String(row.calldata) as Hex,
  accessList: JSON.parse(String(row.access_list)) as AccessList,
  fallback: row.fallback ? (String(row.fallback) as Hex) : undefined,
  draft,
  sentCalldata: row.sent_calldata ? (String(row.sent_calldata) as Hex) : undefined,
  state: row.state as SubmissionState,
  outcome: toOutcome(row.reason),
  deadlineBlock: Number(row.deadline_block),
  signed: row.signed === null ? undefined : fromText(String(row.signed)),
  settlementHashes: toHashes(row.settlement_hash),
  confirmedAt: Number(row.confirmed_at),
})

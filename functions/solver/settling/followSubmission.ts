import {
  type Address,
  BaseError,
  type Hex,
  HttpRequestError,
  keccak256,
  numberToHex,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { RateLimitError } from '#shared/chain/RateLimitError.ts'
import type { ReadAt } from '../pools/readAt.ts'
import { findRevertReason } from '../solutions/findRevertReason.ts'
import type { RepricedSettlement } from '../solutions/repriceSettlement.ts'
import { type BroadcastMemory, broadcast } from './broadcast.ts'
import type { SenderClient } from './connectSender.ts'
import { type CurrentTerms, findSendingTerms } from './findSendingTerms.ts'
import type { SettlementOutcome, SettlementStore, SignedSubmission, Submission } from './settlementStore.ts'
import { raiseFees, signTransaction, signTransfer } from './signTransaction.ts'

export interface SubmissionDeps {
  store: SettlementStore
  client: SenderClient
  chainId: number
  settlementContract: Address
  /** signs and pays for the settlements */
  account: LocalAccount
  memory: BroadcastMemory
  /** blocks without a settlement after which it is signed again with higher fees; 0: only when its fee cap is too low */
  bumpBlocks: number
  /** upper bound of a cancellation's fee cap, as a multiple of the node's suggestion */
  cancellationFeeMultiple: bigint
  /** the settlement for the pools as they are now; undefined when an order would get less than proposed */
  reprice: (submission: Submission, at: ReadAt) => Promise<RepricedSettlement | undefined>
  /** called once an outcome is stored; again when a reorganisation reverted the first one */
  onOutcome: (solutionId: number, outcome: SettlementOutcome) => void
  /** called with each reverted settlement and its cost */
  onRevert: (revert: { hash: Hex; gasUsed: bigint; wei: bigint }) => void
  /** called with the reason why the queue waits, in one line without secrets */
  onHindrance: (reason: string) => void
}

/** maximum number of blocks that a node may lag behind the previously used one */
export const patienceBlocks = 3
/** maximum number of signed versions of a settlement before its deadline, each with higher fees */
const maxVersions = 4
const lateReason = 'not mined by its deadline'
/** factor of `cancellationFeeMultiple` for replacing a transaction with unknown fees */
const replacementFactor = 4n

/**
 * Follows a sent settlement: records the outcome once its nonce is used, and cancels it when it is late.
 * @param mined transactions of the account on the chain
 */
export const followSettlement = async (
  deps: SubmissionDeps,
  submission: SignedSubmission,
  head: number,
  mined: number,
): Promise<void> => {
  const { signed, solutionId, settlementHashes, deadlineBlock } = submission
  if (signed.nonce < mined) {
    const outcome = await findOutcome(deps, settlementHashes)
    if (outcome === undefined && !deps.memory.withoutReceipt.has(solutionId)) {
      // retried in the next step: the node that counted nonces may be ahead of the one queried for receipts
      deps.memory.withoutReceipt.add(solutionId)
      return
    }
    deps.memory.withoutReceipt.delete(solutionId)
    settleOutcome(deps, submission, outcome ?? { mined: false, reason: 'another transaction used its nonce' })
    deps.store.confirm(solutionId, head)
    return
  }
  if (head < deadlineBlock) return raiseSettlement(deps, submission, head)
  if (signed.isExpiring && deps.client.isExpiring) return dropSettlement(deps, submission, head)
  const terms = await findSendingTerms(deps.client, deps.account.address)
  settleOutcome(deps, submission, { mined: false, reason: lateReason })
  await sendCancellation(deps, submission, terms, head)
}

/**
 * Finishes a late settlement without a replacement: every endpoint has dropped it, so its nonce is free again. The nonce
 * count of the deadline's block says so, even from a node that lags; one that does not have the block is left time.
 */
const dropSettlement = async (deps: SubmissionDeps, submission: SignedSubmission, head: number): Promise<void> => {
  const { signed, deadlineBlock } = submission
  const at = { address: deps.account.address, blockNumber: BigInt(deadlineBlock) }
  const used = await deps.client.getTransactionCount(at).catch(() => undefined)
  const isDropped = used === undefined ? head >= deadlineBlock + patienceBlocks : used <= signed.nonce
  if (isDropped) abandon(deps, submission, lateReason)
}

/**
 * Signs a settlement again whose fee cap is below the next base fee, or that `bumpBlocks` did not include: same call and
 * nonce, higher fees.
 */
const raiseSettlement = async (deps: SubmissionDeps, submission: SignedSubmission, head: number): Promise<void> => {
  const { signed, solutionId, settlementHashes, accessList, calldata, sentCalldata: data = calldata } = submission
  const { deadlineBlock } = submission
  if (head <= signed.atBlock || settlementHashes.length >= maxVersions || signed.gas === 0n) return
  const { client, account, settlementContract: to, store, memory } = deps
  const terms = await findSendingTerms(client, account.address)
  const isTooLow = signed.maxFeePerGas < (terms.baseFeePerGas * 9n) / 8n || memory.underpriced.has(signed.raw)
  const isSlow = deps.bumpBlocks > 0 && head >= signed.atBlock + deps.bumpBlocks
  if (!(isTooLow || isSlow) || terms.gas < signed.gas) return
  deps.onHindrance(`the fee of nonce ${signed.nonce} is below the market's`)
  const offer = { ...raiseFees(signed, terms), gas: signed.gas }
  const reason = await findRevertReason(client, { account: account.address, to, data, accessList, ...offer })
  if (reason !== undefined) return
  const raised = await signTransaction(deps, head, { nonce: signed.nonce, to, data, accessList, ...offer })
  // an earlier version may be at an endpoint that the solver used before
  const isExpiring = signed.isExpiring === true && client.isExpiring
  store.saveSettlement(solutionId, { ...raised, isExpiring }, keccak256(raised.raw))
  await broadcast(client, memory, raised.raw, head, deadlineBlock)
}

/** Replaces a stuck transaction by an empty self-transfer: once either is mined, the next nonce can proceed. */
const sendCancellation = async (
  deps: SubmissionDeps,
  { solutionId, signed }: SignedSubmission,
  terms: CurrentTerms,
  head: number,
): Promise<void> => {
  const transfer = await signTransfer(deps, head, signed.nonce, raiseFees(signed, terms))
  deps.store.saveCancellation(solutionId, transfer)
  const refusal = await broadcast(deps.client, deps.memory, transfer.raw, head)
  if (refusal) deps.onHindrance(`the node refuses nonce ${signed.nonce}: ${refusal.reason}`)
}

/** Raises the fees once per block, unless they are so far above the market that they cannot be the obstacle. */
export const followCancellation = async (
  deps: SubmissionDeps,
  submission: SignedSubmission,
  head: number,
  mined: number,
): Promise<void> => {
  const { signed, solutionId } = submission
  if (signed.nonce < mined) return deps.store.confirm(solutionId, head)
  if (head <= signed.atBlock) return
  const terms = await findSendingTerms(deps.client, deps.account.address)
  const factor = deps.memory.underpriced.has(signed.raw) ? replacementFactor : 1n
  const multiple = factor * deps.cancellationFeeMultiple
  if (signed.maxFeePerGas < multiple * terms.maxFeePerGas) await sendCancellation(deps, submission, terms, head)
}

/** The receipt of the one version of a settlement that is on the chain. */
const findReceipt = async ({ client }: SubmissionDeps, hashes: readonly Hex[]) => {
  for (const hash of hashes) {
    const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt) return { ...receipt, hash }
  }
  return undefined
}

/**
 * Reopens mined settlements without a receipt of success, when a reorganisation replaced a block that decided one or the
 * process is new: another transaction may have used the nonce since, which no count of nonces shows.
 */
export const checkReceipts = async (deps: SubmissionDeps, mined: number): Promise<void> => {
  const { memory, store } = deps
  const settled = store.findConfirming().filter(({ signed, outcome }) => signed.nonce < mined && outcome?.mined)
  if (settled.length === 0) return
  if (memory.decidedIn.size > 0 && !(await isReplaced(deps))) return
  const decided = settled.filter(({ signed, settlementHashes }) => settlementHashes.includes(keccak256(signed.raw)))
  if (decided.length === 0) return
  memory.decidedIn.clear()
  const receipts = await Promise.all(decided.map(({ settlementHashes }) => findReceipt(deps, settlementHashes)))
  for (const [i, { solutionId }] of decided.entries()) {
    const receipt = receipts[i]
    if (receipt?.status === '0x1') memory.decidedIn.set(receipt.blockHash, Number(receipt.blockNumber))
    else store.reopen(solutionId, 'sent')
  }
}

/** Whether the chain has another block in the place of one that decided an outcome. */
const isReplaced = async ({ client, memory }: SubmissionDeps): Promise<boolean> => {
  const blocks = [...memory.decidedIn].toSorted(([, a], [, b]) => a - b)
  for (const [hash, number] of blocks) {
    const block = await client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })
    // a node that lags does not have the block yet
    if (!block) return false
    if (block.hash !== hash) return true
  }
  // the newest one is above all others of the same chain
  memory.decidedIn = new Map(blocks.slice(-1))
  return false
}

const findOutcome = async (deps: SubmissionDeps, hashes: readonly Hex[]): Promise<SettlementOutcome | undefined> => {
  const receipt = await findReceipt(deps, hashes)
  if (!receipt) return undefined
  deps.memory.decidedIn.set(receipt.blockHash, Number(receipt.blockNumber))
  if (receipt.status === '0x1') return { mined: true }
  const gasUsed = BigInt(receipt.gasUsed)
  deps.onRevert({ hash: receipt.hash, gasUsed, wei: gasUsed * BigInt(receipt.effectiveGasPrice ?? '0x0') })
  return { mined: false, reason: 'reverted on the chain' }
}

/** Finishes a submission; its transaction, if any, is no longer tracked. */
export const abandon = (deps: SubmissionDeps, submission: Submission, reason: string): void => {
  settleOutcome(deps, submission, { mined: false, reason })
  deps.store.finish(submission.solutionId)
}

const settleOutcome = (
  { store, onOutcome }: SubmissionDeps,
  submission: Submission,
  outcome: SettlementOutcome,
): void => {
  if (submission.outcome) return
  store.saveOutcome(submission.solutionId, outcome)
  onOutcome(submission.solutionId, outcome)
}

/** Whether a step failed because of the submission: viem rejected its parameters before any request. */
export const isCallFault = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) =>
      cause instanceof HttpRequestError ||
      cause instanceof RpcRequestError ||
      cause instanceof TimeoutError ||
      cause instanceof RateLimitError,
  ) === null

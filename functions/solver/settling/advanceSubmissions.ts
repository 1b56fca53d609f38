import { type AccessList, type Address, BaseError, type Hex, keccak256, RpcRequestError } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { maxOf } from '#shared/amounts/minMax.ts'
import { decodeRevert } from '../solutions/findRevertReason.ts'
import type { SenderClient } from './connectSender.ts'
import type { Outcome, SettlementStore, SignedTransaction, Submission } from './settlementStore.ts'

export interface SubmissionDeps {
  store: SettlementStore
  client: SenderClient
  chainId: number
  settlementContract: Address
  /** signs and pays for the settlements */
  account: LocalAccount
  /** transactions broadcast since this process began, by their bytes, and the head when it was done last */
  broadcast: Map<Hex, number>
  /** called once for each submission, as soon as its outcome is stored */
  onOutcome: (solutionId: number, outcome: Outcome) => void
}

/** largest gas limit of one transaction (EIP-7825) */
const maxTransactionGas = 16_777_216n
const transferGas = 21_000n
/** nodes take a replacement that pays at least a tenth more; an eighth is common */
const feeBumpPercent = 113n
/** a cancellation never offers more than about this many times what the node suggests */
const maxFeeMultiple = 4n

/**
 * Brings the solver's submissions one step further, from what is stored and what the chain says:
 *
 *     queued → sent → finished            mined, reverted, or its nonce was used by another transaction
 *                   → cancelling → finished   not mined by its deadline
 *     queued → finished                   it reverts in simulation, cannot be paid for, or is too late
 *
 * One is in flight at a time, so the chain's pending count is the next nonce. Every step can be repeated: a transaction is
 * stored before it is broadcast and broadcast again, byte by byte the same, after a restart and with every block that does
 * not have it, because a node may lose it in a reorganisation. A settlement is signed once and never again.
 * @returns whether anything is left to do
 * @throws viem errors when the chain cannot be asked; call again later
 */
export const advanceSubmissions = async (deps: SubmissionDeps): Promise<boolean> => {
  const [first] = deps.store.findUnfinished()
  if (!first) return false
  const block = await deps.client.getBlock()
  const head = Number(block.number)
  for (const submission of deps.store.findUnfinished()) {
    if (submission.state !== 'queued' || head < submission.deadlineBlock) continue
    conclude(deps, submission, { mined: false, reason: 'the deadline passed before it could be sent' })
  }
  if (first.state === 'sent') await followSettlement(deps, first, head)
  else if (first.state === 'cancelling') await followCancellation(deps, first, head)
  else if (head < first.deadlineBlock) await sendSettlement(deps, first, block)
  return deps.store.findUnfinished().length > 0
}

const sendSettlement = async (
  deps: SubmissionDeps,
  submission: Submission,
  block: { number: bigint; gasLimit: bigint; baseFeePerGas: bigint | null },
): Promise<void> => {
  const { client, account, settlementContract, store } = deps
  const { calldata: data, accessList } = submission
  const call = { account: account.address, to: settlementContract, data, accessList }
  const [estimate, nonce, maxPriorityFeePerGas] = await Promise.all([
    client.estimateGas(call).catch(toRevertReason),
    client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    client.estimateMaxPriorityFeePerGas(),
  ])
  if (typeof estimate === 'string') return conclude(deps, submission, { mined: false, reason: estimate })
  const gasCap = block.gasLimit / 2n < maxTransactionGas ? block.gasLimit / 2n : maxTransactionGas
  if (estimate > gasCap) return conclude(deps, submission, { mined: false, reason: `needs ${estimate} gas` })
  const fees = { maxPriorityFeePerGas, maxFeePerGas: 2n * (block.baseFeePerGas ?? 0n) + maxPriorityFeePerGas }
  const signed = await sign(deps, Number(block.number), {
    ...fees,
    nonce,
    to: settlementContract,
    data,
    accessList,
    gas: estimate * 2n < gasCap ? estimate * 2n : gasCap,
  })
  store.saveSettlement(submission.solutionId, signed, keccak256(signed.raw))
  const refusal = await broadcast(deps, signed.raw, Number(block.number))
  if (refusal !== undefined) conclude(deps, submission, { mined: false, reason: refusal })
}

const followSettlement = async (deps: SubmissionDeps, submission: Submission, head: number): Promise<void> => {
  const { signed, settlementHash } = submission
  if (!signed || !settlementHash) throw new Error(`submission ${submission.solutionId} was sent without a transaction`)
  const isLate = head >= submission.deadlineBlock
  if (!isLate) await broadcast(deps, signed.raw, head)
  const usedNonces = await countMined(deps)
  const receipt = await findReceipt(deps.client, settlementHash)
  if (receipt) {
    return conclude(
      deps,
      submission,
      receipt.succeeded ? { mined: true } : { mined: false, reason: 'reverted on the chain' },
    )
  }
  if (usedNonces > signed.nonce) {
    return conclude(deps, submission, { mined: false, reason: 'another transaction used its nonce' })
  }
  if (!isLate) return
  const fees = await deps.client.estimateFeesPerGas()
  settleOutcome(deps, submission.solutionId, { mined: false, reason: 'not mined by its deadline' })
  await sendCancellation(deps, submission, signed, fees, head)
}

/** Replaces what is stuck by a transfer of nothing to oneself: whichever of the two is mined, the nonce is free again. */
const sendCancellation = async (
  deps: SubmissionDeps,
  { solutionId }: Submission,
  { nonce, maxFeePerGas, maxPriorityFeePerGas }: SignedTransaction,
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
  head: number,
): Promise<void> => {
  const signed = await sign(deps, head, {
    nonce,
    to: deps.account.address,
    gas: transferGas,
    maxFeePerGas: maxOf(fees.maxFeePerGas, bump(maxFeePerGas)),
    maxPriorityFeePerGas: maxOf(fees.maxPriorityFeePerGas, bump(maxPriorityFeePerGas)),
  })
  deps.store.saveCancellation(solutionId, signed)
  await broadcast(deps, signed.raw, head)
}

/** Bumps the fees once per block, unless they are so far above the market's that they cannot be what it waits for. */
const followCancellation = async (deps: SubmissionDeps, submission: Submission, head: number): Promise<void> => {
  const { signed } = submission
  if (!signed) throw new Error(`submission ${submission.solutionId} is cancelled without a transaction`)
  await broadcast(deps, signed.raw, head)
  if ((await countMined(deps)) > signed.nonce) return deps.store.finish(submission.solutionId)
  if (head <= signed.atBlock) return
  const fees = await deps.client.estimateFeesPerGas()
  if (signed.maxFeePerGas < maxFeeMultiple * fees.maxFeePerGas) {
    await sendCancellation(deps, submission, signed, fees, head)
  }
}

const conclude = (deps: SubmissionDeps, { solutionId }: Submission, outcome: Outcome): void => {
  settleOutcome(deps, solutionId, outcome)
  deps.store.finish(solutionId)
}

const settleOutcome = ({ store, onOutcome }: SubmissionDeps, solutionId: number, outcome: Outcome): void => {
  store.saveOutcome(solutionId, outcome)
  onOutcome(solutionId, outcome)
}

const sign = async (
  { account, chainId }: SubmissionDeps,
  atBlock: number,
  transaction: {
    nonce: number
    to: Address
    data?: Hex
    accessList?: AccessList
    gas: bigint
    maxFeePerGas: bigint
    maxPriorityFeePerGas: bigint
  },
): Promise<SignedTransaction> => {
  const { nonce, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const raw = await account.signTransaction({ type: 'eip1559', chainId, ...transaction })
  return { raw, nonce, maxFeePerGas, maxPriorityFeePerGas, atBlock }
}

/**
 * Hands a transaction to the node, once for each block.
 * @returns why the node refuses it; undefined when it took it, or when it is not known whether it did
 */
const broadcast = async (deps: SubmissionDeps, raw: Hex, head: number): Promise<string | undefined> => {
  if (deps.broadcast.get(raw) === head) return undefined
  deps.broadcast.set(raw, head)
  try {
    await deps.client.sendRawTransaction({ serializedTransaction: raw })
    return undefined
  } catch (error) {
    const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
    return answer instanceof RpcRequestError ? answer.details : undefined
  }
}

const countMined = ({ client, account }: SubmissionDeps): Promise<number> =>
  client.getTransactionCount({ address: account.address, blockTag: 'latest' })

const findReceipt = async (client: SenderClient, hash: Hex): Promise<{ succeeded: boolean } | undefined> => {
  const receipt = await client.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return receipt ? { succeeded: receipt.status === '0x1' } : undefined
}

/** @throws the error itself when it is no revert */
const toRevertReason = (error: unknown): string => {
  const reason = decodeRevert(error)
  if (reason === undefined) throw error
  return reason
}

const bump = (fee: bigint): bigint => (fee * feeBumpPercent + 99n) / 100n

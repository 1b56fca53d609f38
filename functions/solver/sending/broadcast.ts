import { BaseError, type Hex, RpcRequestError } from 'viem'
import { redact } from '#shared/logging/redact.ts'
import type { SenderClient } from './connectSender.ts'
import type { Submitter, Validity } from './createSubmitter.ts'

/** Broadcast state of a process; a new process starts with an empty one. */
export interface BroadcastMemory {
  /** transactions by their bytes, with the head of their last broadcast */
  broadcastAt: Map<Hex, number>
  /** transactions that the node rejected because of their fees */
  underpriced: Set<Hex>
  /** submissions whose nonce is used, while the node has no receipt, with the head at which that was seen first */
  withoutReceipt: Map<number, number>
  /** lowest head at which previously mined transactions were missing */
  lostSince: number | undefined
  /** numbers of the blocks whose receipts decided outcomes, by hash; the newest and those not compared since */
  decidedIn: Map<Hex, number>
}

export const createBroadcastMemory = (): BroadcastMemory => ({
  broadcastAt: new Map(),
  underpriced: new Set(),
  withoutReceipt: new Map(),
  lostSince: undefined,
  decidedIn: new Map(),
})

/** Removes the state of transactions and submissions that are no longer in flight. */
export const forgetOtherBroadcasts = (
  { broadcastAt, underpriced, withoutReceipt }: BroadcastMemory,
  inFlight: readonly { solutionId: number; signed: { raw: Hex } }[],
): void => {
  const raws = new Set(inFlight.map(({ signed }) => signed.raw))
  const ids = new Set(inFlight.map(({ solutionId }) => solutionId))
  for (const raw of broadcastAt.keys()) if (!raws.has(raw)) broadcastAt.delete(raw)
  for (const raw of underpriced) if (!raws.has(raw)) underpriced.delete(raw)
  for (const id of withoutReceipt.keys()) if (!ids.has(id)) withoutReceipt.delete(id)
}

/**
 * Broadcasts a transaction once per block, to all endpoints at the same time. Rejections are worded differently by
 * geth, Nethermind, Erigon, Reth, Besu and anvil.
 * @param deadlineBlock last block that may contain it, for endpoints that drop it then; undefined: any block
 * @returns why every endpoint rejects it; undefined as soon as one accepted it, or did not respond
 */
export const broadcast = async (
  { submitters }: Pick<SenderClient, 'submitters'>,
  memory: BroadcastMemory,
  raw: Hex,
  head: number,
  deadlineBlock?: number,
): Promise<Refusal | undefined> => {
  if (memory.broadcastAt.get(raw) === head) return undefined
  memory.broadcastAt.set(raw, head)
  try {
    if (
      (await Promise.any(submitters.map((submit) => submitTo(submit, raw, { head, deadlineBlock })))) === 'accepted'
    ) {
      memory.underpriced.delete(raw)
    }
    return undefined
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error
    const refusals = error.errors.flatMap((cause) => (cause instanceof RefusedError ? [cause.refusal] : []))
    const [refusal] = refusals.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    if (refusal?.kind === 'underpriced') memory.underpriced.add(raw)
    return refusal
  }
}

/** those that may pass first: a transaction is given up only when no endpoint will accept it */
const kinds: readonly Refusal['kind'][] = ['underpriced', 'gap', 'final']

class RefusedError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/** @throws RefusedError when the endpoint rejects the transaction */
const submitTo = async (submit: Submitter, raw: Hex, validity: Validity): Promise<'accepted' | 'unknown'> => {
  try {
    await submit(raw, validity)
    return 'accepted'
  } catch (error) {
    const response = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
    const refusal = response instanceof RpcRequestError ? readRefusal(response.details) : undefined
    if (refusal) throw new RefusedError(refusal)
    return 'unknown'
  }
}

/** The node has the transaction, or its nonce is used: the chain decides its outcome. */
const taken = /already (known|imported|exists|in )|known transaction|already_?known|nonce (is )?too low|old ?nonce/i

/** A higher fee is needed; the text also covers replacements of a pending transaction. */
const underpriced = /underpriced|replace|base ?fee|fee ?cap|fee ?too ?low/i

/** An earlier nonce is missing; the queue fills it. */
const gap = /nonce (is )?too high|nonce.{0,20}gap|future/i

type Refusal = {
  /** `final`: the node will not accept it before its deadline */
  kind: 'final' | 'gap' | 'underpriced'
  reason: string
}

/** @param text error text of the node */
export const readRefusal = (text: string): Refusal | undefined => {
  if (taken.test(text)) return undefined
  const kind = underpriced.test(text) ? 'underpriced' : gap.test(text) ? 'gap' : 'final'
  return { kind, reason: redact(text).slice(0, 200) }
}

import { BaseError, type Hex, RpcRequestError } from 'viem'
import { redact } from '#shared/logging/redact.ts'
import type { SenderClient } from './connectSender.ts'

/** Broadcast state of a process; a new process starts with an empty one. */
export interface BroadcastMemory {
  /** transactions by their bytes, with the head of their last broadcast */
  broadcastAt: Map<Hex, number>
  /** transactions that the node rejected because of their fees */
  underpriced: Set<Hex>
  /** submissions whose nonce is used, while the node has no receipt */
  withoutReceipt: Set<number>
  /** lowest head at which previously mined transactions were missing */
  lostSince: number | undefined
}

export const createBroadcastMemory = (): BroadcastMemory => ({
  broadcastAt: new Map(),
  underpriced: new Set(),
  withoutReceipt: new Set(),
  lostSince: undefined,
})

/** The node has the transaction, or its nonce is used: the chain decides its outcome. */
const taken = /already (known|imported|exists|in )|known transaction|already_?known|nonce (is )?too low|old ?nonce/i
/** A higher fee is needed; the text also covers replacements of a pending transaction. */
const underpriced = /underpriced|replace|base ?fee|fee ?cap|fee ?too ?low/i
/** An earlier nonce is missing; the queue fills it. */
const gap = /nonce (is )?too high|nonce.{0,20}gap|future/i

export type Refusal = {
  /** `final`: the node will not accept it before its deadline */
  kind: 'final' | 'gap' | 'underpriced'
  reason: string
}

/**
 * Broadcasts a transaction once per block. Rejections are worded differently by geth, Nethermind, Erigon, Reth, Besu
 * and anvil.
 * @returns why the node rejects it; undefined when it accepted it, or did not respond
 */
export const broadcast = async (
  client: SenderClient,
  memory: BroadcastMemory,
  raw: Hex,
  head: number,
): Promise<Refusal | undefined> => {
  if (memory.broadcastAt.get(raw) === head) return undefined
  memory.broadcastAt.set(raw, head)
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    memory.underpriced.delete(raw)
    return undefined
  } catch (error) {
    const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
    if (!(answer instanceof RpcRequestError)) return undefined
    const refusal = readRefusal(answer.details)
    if (refusal?.kind === 'underpriced') memory.underpriced.add(raw)
    return refusal
  }
}

/** @param text error text of the node */
export const readRefusal = (text: string): Refusal | undefined => {
  if (taken.test(text)) return undefined
  const kind = underpriced.test(text) ? 'underpriced' : gap.test(text) ? 'gap' : 'final'
  return { kind, reason: redact(text).slice(0, 200) }
}

import { BaseError, type Hex, RpcRequestError } from 'viem'
import { redact } from '#shared/logging/redact.ts'
import type { SenderClient } from './connectSender.ts'

/** What a process knows of its broadcasts; a new process begins with an empty one. */
export interface BroadcastMemory {
  /** transactions by their bytes, and the head when they were broadcast last */
  broadcastAt: Map<Hex, number>
  /** transactions that the node refused because of their fees */
  underpriced: Set<Hex>
  /** submissions whose nonce is used, while the node has no receipt of them */
  withoutReceipt: Set<number>
  /** lowest head at which transactions that were on the chain were missing */
  lostSince: number | undefined
}

export const createBroadcastMemory = (): BroadcastMemory => ({
  broadcastAt: new Map(),
  underpriced: new Set(),
  withoutReceipt: new Set(),
  lostSince: undefined,
})

/** The node has the transaction, or its nonce is used: the chain says what became of it. */
const taken = /already (known|imported|exists|in )|known transaction|already_?known|nonce (is )?too low|old ?nonce/i
/** Another fee is needed; the text also covers a transaction that another one would replace. */
const underpriced = /underpriced|replace|base ?fee|fee ?cap|fee ?too ?low/i
/** An earlier nonce is missing: the queue fills it. */
const gap = /nonce (is )?too high|nonce.{0,20}gap|future/i

export type Refusal = {
  /** `final`: the node will not take it, whatever happens before its deadline */
  kind: 'final' | 'gap' | 'underpriced'
  reason: string
}

/**
 * Hands a transaction to the node, once for each block. Nodes word their refusals differently: geth, Nethermind, Erigon,
 * Reth, Besu and anvil.
 * @returns why the node refuses it; undefined when it has it, or when the node gave no answer
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

/** @param text of the node's answer to a transaction */
export const readRefusal = (text: string): Refusal | undefined => {
  if (taken.test(text)) return undefined
  const kind = underpriced.test(text) ? 'underpriced' : gap.test(text) ? 'gap' : 'final'
  return { kind, reason: redact(text).slice(0, 200) }
}

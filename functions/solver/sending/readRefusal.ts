import { redact } from '#shared/logging/redact.ts'

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

/** @param text error text of the node */
export const readRefusal = (text: string): Refusal | undefined => {
  if (taken.test(text)) return undefined
  const kind = underpriced.test(text) ? 'underpriced' : gap.test(text) ? 'gap' : 'final'
  return { kind, reason: redact(text).slice(0, 200) }
}

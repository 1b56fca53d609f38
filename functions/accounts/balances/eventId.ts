import type { Address } from 'viem'

/**
 * Position of a client, encoded as event id: its last change, the epoch of the watch, and its tokens. Missed changes can be
 * replayed only when epoch and tokens are the same.
 */
export type Position = { epoch: string; tokensKey: string; sequence: number }

export const toBalanceEventId = ({ epoch, tokensKey, sequence }: Position): string =>
  `${epoch}-${tokensKey}-${sequence}`

/** @returns undefined for a malformed id */
export const readBalanceEventId = (id: string | undefined): Position | undefined => {
  const [, epoch, tokensKey, sequence] = /^([0-9a-z]{1,20})-([0-9a-z]{1,20})-(\d{1,15})$/.exec(id ?? '') ?? []
  return epoch && tokensKey && sequence ? { epoch, tokensKey, sequence: Number(sequence) } : undefined
}

/** Hash of a list of tokens: FNV-1a over the addresses. */
export const computeTokensKey = (tokens: readonly Address[]): string => {
  let hash = 0x811c9dc5
  for (const char of tokens.join()) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return (hash >>> 0).toString(36)
}

import type { Address } from 'viem'

/**
 * What a client has been told, as an event's id: up to which change, in which life of the watch, about which tokens. Only
 * with all three the same can it be told what it has missed.
 */
export type Position = { epoch: string; tokensKey: string; sequence: number }

export const toEventId = ({ epoch, tokensKey, sequence }: Position): string => `${epoch}-${tokensKey}-${sequence}`

/** @returns undefined for what is no id of ours */
export const readEventId = (id: string | undefined): Position | undefined => {
  const [, epoch, tokensKey, sequence] = /^([0-9a-z]{1,20})-([0-9a-z]{1,20})-(\d{1,15})$/.exec(id ?? '') ?? []
  return epoch && tokensKey && sequence ? { epoch, tokensKey, sequence: Number(sequence) } : undefined
}

/** Stands for a list of tokens: FNV-1a over the addresses. */
export const computeTokensKey = (tokens: readonly Address[]): string => {
  let hash = 0x811c9dc5
  for (const char of tokens.join()) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  return (hash >>> 0).toString(36)
}

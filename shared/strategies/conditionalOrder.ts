import type { Hex } from 'viem'

/** `open`: evaluated when due. `ended`: finished, removed by its owner, or given up. */
export type ConditionalState = 'open' | 'ended'

/**
 * What the newest evaluation of a conditional order found.
 * - `partPlaced`: a part entered the book, or is in it
 * - `notYet`: its handler named the block or time before which it has none
 * - `tryNextBlock`: its condition does not hold now
 * - `notValid`: its handler refuses its parameters, or the owner's present state
 * - `finished`: its handler has no further part
 * - `removed`: its owner does not authorise it
 * - `partRefused`: the book does not accept its part
 * - `failed`: its handler reverted without a known reason
 * - `exhausted`: its handler used all gas of an evaluation
 */
export const verdictReasons = [
  'partPlaced',
  'notYet',
  'tryNextBlock',
  'notValid',
  'finished',
  'removed',
  'partRefused',
  'failed',
  'exhausted',
] as const

export type VerdictReason = (typeof verdictReasons)[number]

export type VerdictData = {
  reason: VerdictReason
  /** words of the handler, or what the book refuses */
  message?: string
  /** the part */
  uid?: Hex
  /** the end of an evaluation loop was postponed, because its parts end without a trade */
  isSlowed?: boolean
}

/** Maximum size of a conditional order's static input; larger ones are not indexed. */
export const maxStaticInputBytes = 8_192

import type { Address } from 'viem'
import { ApiError } from '../http/errors.ts'

/**
 * What an operator can pause. `network`: new orders, quotes and auctions; `orders`, `quotes`: new ones; `solver:<address>`: requests
 * for its solutions and prices; `token:<address>`: quotes, new orders and auctions with the token. Cancellations, reads,
 * indexing and settlements on their way are never paused.
 */
export type PauseSubject = 'network' | 'orders' | 'quotes' | `solver:${Address}` | `token:${Address}`

/** Current pauses of a network with their reasons. */
export type Pauses = ReadonlyMap<PauseSubject, string>

/** Finds the current pauses, at most some seconds old. */
export type FindPauses = () => Promise<Pauses>

type TokenPair = { sellToken: Address; buyToken: Address }

const tokenFields = ['sellToken', 'buyToken'] as const

/**
 * @throws ApiError `Paused` when all new orders or quotes are paused, `TokenTemporarilySuspended` when one of the tokens is
 */
export const checkNotPaused = (pauses: Pauses, what: 'orders' | 'quotes', tokens: TokenPair): void => {
  for (const subject of ['network', what] as const) {
    const reason = pauses.get(subject)
    if (reason !== undefined) throw new ApiError('Paused', { data: { subject, reason, retryable: true } })
  }
  for (const field of tokenFields) {
    const token = tokens[field]
    const reason = pauses.get(`token:${token}`)
    if (reason !== undefined) throw new ApiError('TokenTemporarilySuspended', { data: { field, token, reason } })
  }
}

/** The pause that excludes an order from auctions: of the network, or of one of its tokens. */
export const findPauseOfOrder = (
  pauses: Pauses,
  order: TokenPair,
): { subject: PauseSubject; reason: string } | undefined => {
  if (pauses.size === 0) return undefined
  const subjects: PauseSubject[] = ['network', ...tokenFields.map((field) => `token:${order[field]}` as const)]
  const subject = subjects.find((one) => pauses.has(one))
  return subject && { subject, reason: pauses.get(subject) ?? '' }
}

/** The solvers that are not paused. */
export const withoutPaused = <T extends { address: Address }>(pauses: Pauses, solvers: readonly T[]): readonly T[] =>
  pauses.size === 0 ? solvers : solvers.filter(({ address }) => !pauses.has(`solver:${address}`))

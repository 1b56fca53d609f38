import type { Address, Hex } from 'viem'
import { toTradedPair } from './toTradedPair.ts'

/** A solution of a decided auction; `orders` by UID. */
export type DecidedSolution = {
  solver: Address
  isWinner: boolean
  filteredOut: boolean
  /** wei */
  score: bigint
  orders: ReadonlyMap<Hex, { sellToken: Address; buyToken: Address }>
}

/**
 * Why a solution did not win: `order` and `pair` name the winner that trades one of its orders, or in the same direction
 * between two of its tokens. `unfair`: it gives less on a pair than a solution of that pair alone. `limit`: no winner is in its way; a
 * balance, its solver's unsettled wins or the number of winners is.
 */
export type Loss =
  | {
      kind: 'order' | 'pair'
      solver: Address
      /** the winner's score minus its own, wei; negative where certainty or a limit decided, not the score */
      by: bigint
    }
  | { kind: 'unfair' | 'limit' }

/** Finds out why a solution lost. @param winners in the order of the ranking */
export const findLoss = (
  solution: DecidedSolution,
  winners: readonly DecidedSolution[],
  wrappedNative: Address,
): Loss => {
  if (solution.filteredOut) return { kind: 'unfair' }
  const pairsOf = ({ orders }: DecidedSolution) =>
    [...orders.values()].map((order) => toTradedPair(order, wrappedNative))
  const pairs = new Set(pairsOf(solution))
  const sharesOrder = ({ orders }: DecidedSolution) => [...orders.keys()].some((uid) => solution.orders.has(uid))
  const rivals = winners.filter((winner) => sharesOrder(winner) || pairsOf(winner).some((pair) => pairs.has(pair)))
  const better = rivals.filter(({ score }) => score >= solution.score)
  const rival = better.find(sharesOrder) ?? better[0] ?? rivals.find(sharesOrder) ?? rivals[0]
  if (!rival) return { kind: 'limit' }
  return { kind: sharesOrder(rival) ? 'order' : 'pair', solver: rival.solver, by: rival.score - solution.score }
}

/** A sentence for the solver. */
export const describeLoss = (loss: Loss): string => {
  if (loss.kind === 'unfair') return 'it gives less on a pair than a solution that trades only that pair'
  if (!('solver' in loss)) return 'it does not fit beside the winners: a balance, unsettled wins or their number'
  const where = loss.kind === 'order' ? 'with an order of it' : 'on a pair of it'
  return `${loss.solver} won ${where} by a score higher by ${loss.by} wei`
}

import type { Address, Hex } from 'viem'
import { compareDescending } from '#shared/amounts/compareDescending.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { toTradedPair } from '#shared/solvers/toTradedPair.ts'
import type { Auction } from '../auction.ts'
import { computeBaselines, findMissedBaselines } from './computeBaselines.ts'
import type { Rules } from './rules.ts'
import type { ScoredSolution } from './scoreSolution.ts'

/** A ranked solution: its index in the ranking is its `uid`. */
export type RankedSolution = ScoredSolution & {
  isWinner: boolean
  /** an order that its solver failed and another solver offers */
  yielded: Hex | undefined
  /** unfair: it scores less on a pair than a solution that trades only that pair */
  filteredOut: boolean
  /** the solutions to which it is unfair: they count only while their calldata keeps their promises */
  filteredBy: readonly ScoredSolution[]
  /** total score of the winners without any solution of this solver, wei; null when it did not win */
  referenceScore: bigint | null
}

export type WinnerRules = Pick<Auction, 'certainty' | 'funds'> &
  Pick<Rules, 'isOpen' | 'hasFailed' | 'allowances'> & {
    wrappedNative: Address
    /** maximum number of winners with certain orders, and the same number with uncertain ones */
    maxWinners: number
    /** tie-breaker: a random permutation */
    shuffle: <T>(items: readonly T[]) => T[]
  }

/**
 * Ranks solutions and picks the winners: by score alone, within what can be settled together.
 *
 * Of the solutions with certain orders the best wins, then the next best on other directed pairs, and so on. An order
 * that is `split`, or that waited (`isOpen`), may win on a pair that has a winner already: a stranger's order with a
 * higher score and a settlement that fails then takes nothing from it. Solutions with uncertain orders follow, by
 * score, on pairs without a certain winner; they exclude nothing. All winners together spend no more of a holding than
 * it has, no order wins twice, and no solver wins beyond its allowance. A solution with an order that its solver failed
 * yields while another solver offers that order: it comes after all others of its kind and sets no baseline. It is not
 * excluded, because an offer that wins nothing, or whose calldata breaks its promise, would exclude it at no cost.
 *
 * The baseline of a pair is the best score of a solution with certain orders that trades only that pair and could win
 * alone. Fairness: a solution that trades several pairs must reach the baseline of each, else it is filtered out. Order
 * of the ranking: winners, other solutions, filtered-out ones, each by descending score, those that yield last. Source: the winner selection
 * of the public system's combinatorial auction, which solvers expect.
 */
export const pickWinners = (rules: WinnerRules, solutions: readonly ScoredSolution[]): RankedSolution[] => {
  const offers = findOffers(solutions)
  const findYielded = ({ solver, orders }: ScoredSolution) =>
    [...orders.keys()].find(
      (uid) =>
        rules.hasFailed(solver, uid) && [...(offers.get(uid) ?? [])].some((other) => !rules.hasFailed(other, uid)),
    )
  const yielded = new Map(solutions.map((solution) => [solution, findYielded(solution)]))
  const yields = (solution: ScoredSolution) => yielded.get(solution) !== undefined
  const sorted = rules
    .shuffle(solutions)
    .sort((a, b) => Number(yields(a)) - Number(yields(b)) || compareDescending(a.score, b.score))
  const mayWin = (solution: ScoredSolution) =>
    !yields(solution) && !isUncertain(rules, solution) && createBudget(rules, offers).spend(solution)
  const baselines = computeBaselines(sorted.filter(mayWin))
  const missed = new Map(sorted.map((solution) => [solution, findMissedBaselines(solution, baselines)]))
  const fair = sorted.filter((solution) => missed.get(solution)?.length === 0)
  const winners = pickCompatible(rules, fair)
  const rank = (solution: ScoredSolution): RankedSolution => {
    const isWinner = winners.has(solution)
    const rivals = () => fair.filter(({ solver }) => solver !== solution.solver)
    return {
      ...solution,
      isWinner,
      yielded: yielded.get(solution),
      filteredOut: !fair.includes(solution),
      filteredBy: missed.get(solution) ?? [],
      referenceScore: isWinner ? sumScores(pickCompatible(rules, rivals())) : null,
    }
  }
  const ranked = sorted.map(rank)
  const place = ({ isWinner, filteredOut }: RankedSolution) => (isWinner ? 0 : filteredOut ? 2 : 1)
  return ranked.sort((a, b) => place(a) - place(b))
}

/** Whether a solution has an order whose validity depends on code, see `computeCertainty`. */
const isUncertain = ({ certainty }: WinnerRules, { orders }: ScoredSolution): boolean =>
  [...orders.keys()].some((uid) => certainty.get(uid) === 'uncertain')

/**
 * Picks the solutions that win together.
 * @param sorted best first
 */
const pickCompatible = (rules: WinnerRules, sorted: readonly ScoredSolution[]): Set<ScoredSolution> => {
  const { certainty, isOpen, maxWinners, wrappedNative } = rules
  const winners = new Set<ScoredSolution>()
  const takenPairs = new Set<string>()
  const budget = createBudget(rules, findOffers(sorted))
  const pairsOf = ({ orders }: ScoredSolution) =>
    [...orders.values()].map((order) => toTradedPair(order, wrappedNative))
  const hasFreePairs = (solution: ScoredSolution) => !pairsOf(solution).some((pair) => takenPairs.has(pair))
  const isOpenTo = (solution: ScoredSolution, isExempt: (uid: Hex) => boolean) =>
    hasFreePairs(solution) || [...solution.orders.keys()].every(isExempt)
  const isWaiting = (uid: Hex) => certainty.get(uid) === 'split' || isOpen(uid)
  const [certain, uncertain] = [false, true].map((is) => sorted.filter((each) => isUncertain(rules, each) === is))
  for (const solution of certain ?? []) {
    if (winners.size >= maxWinners) break
    if (!isOpenTo(solution, isWaiting) || !budget.spend(solution)) continue
    winners.add(solution)
    for (const pair of pairsOf(solution)) takenPairs.add(pair)
  }
  const most = winners.size + maxWinners
  for (const solution of uncertain ?? []) {
    if (winners.size >= most) break
    if (isOpenTo(solution, isOpen) && budget.spend(solution)) winners.add(solution)
  }
  return winners
}

/** Solvers that offer each order. */
type Offers = ReadonlyMap<Hex, ReadonlySet<Address>>

const findOffers = (solutions: readonly ScoredSolution[]): Offers => {
  const offers = new Map<Hex, Set<Address>>()
  for (const { solver, orders } of solutions)
    for (const uid of orders.keys()) offers.set(uid, (offers.get(uid) ?? new Set()).add(solver))
  return offers
}

/** Orders, holdings and allowances of solvers that the winners so far have used. */
const createBudget = ({ funds, allowances, isOpen }: WinnerRules, offers: Offers) => {
  const won = new Set<Hex>()
  const spent = new Map<string, bigint>()
  const unsettled = new Map<Address, { score: bigint; wins: number }>()
  return {
    /** @returns whether the solution fits, and then counts it */
    spend: ({ solver, score, orders }: ScoredSolution): boolean => {
      const uids = [...orders.keys()]
      if (uids.some((uid) => won.has(uid))) return false
      const sums = new Map<string, bigint>()
      for (const [uid, { executedSell }] of orders) {
        const known = funds.get(uid)
        if (!known) continue
        const sum = (sums.get(known.holding) ?? spent.get(known.holding) ?? 0n) + executedSell
        if (sum > known.spendable) return false
        sums.set(known.holding, sum)
      }
      const used = unsettled.get(solver) ?? { score: 0n, wins: 0 }
      const allowance = allowances.get(solver)
      // the limit must not leave an order without any solver
      const isExempt = uids.every((uid) => isOpen(uid) && (offers.get(uid)?.size ?? 0) < 2)
      const isExceeded =
        allowance && used.wins + allowance.unsettled > 0 && used.score + score > allowance.score && !isExempt
      if (isExceeded) return false
      for (const uid of uids) won.add(uid)
      for (const [holding, sum] of sums) spent.set(holding, sum)
      unsettled.set(solver, { score: used.score + score, wins: used.wins + 1 })
      return true
    },
  }
}

/** Solvers can claim any score, so the sum is capped at the range of the database and clients. */
const sumScores = (solutions: Iterable<ScoredSolution>): bigint => {
  let sum = 0n
  for (const { score } of solutions) sum += score
  return minOf(sum, maxUint256)
}

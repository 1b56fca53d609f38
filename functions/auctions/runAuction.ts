import type { Address, Hex } from 'viem'
import { selectListedUids } from '#schema/queries/auctions/listedOrders.ts'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { describeError } from '#shared/http/describeError.ts'
import { cutAuction } from './book/cutAuction.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import type { CollectSolutionsDeps } from './competition/collectDeps.ts'
import { collectSolutions } from './competition/collectSolutions.ts'
import { computeWaiting } from './competition/computeWaiting.ts'
import { decideAuction } from './competition/decideAuction.ts'
import { findAllowedSolvers } from './competition/findAllowedSolvers.ts'
import { runStep } from './runStep.ts'
import { computeRules, type Rules } from './settling/computeRules.ts'
import { findParticipation, type Participation } from './settling/findParticipation.ts'
import { settleWinner } from './settling/settleWinner.ts'

/** An auction without a solution is repeated after this time, or with the next block. */
export const auctionIntervalMs = 10_000

/** Result of an auction: its id and block, and counts. */
export type HeldAuction = { auction: number; block: number; orders: number; solutions: number; winners: number }

/**
 * Runs one auction on `block`, the newest indexed one: cut, collect, rank, record. Settlement continues in the
 * background; its outcome is read from the chain. Contents without a solution are not retried on the same block before
 * an interval has passed.
 * @returns undefined when there was nothing to auction
 */
export const runAuction = async (
  deps: ClockDeps,
  state: ClockState,
  block: IndexedBlock,
): Promise<HeldAuction | undefined> => {
  const startedAt = deps.now()
  const { lastFruitless } = state
  const isFruitless = (content: string) =>
    content === lastFruitless?.content && Math.abs(startedAt - lastFruitless.at) < auctionIntervalMs
  const [auction, participation] = await Promise.all([
    cutAuction(deps, state, block, isFruitless),
    findParticipation(deps, state),
  ])
  if (!auction) return undefined
  state.waiting = computeWaiting(state.waiting, { orders: auction.solvable, block: auction.block })
  const rules = await findRules(deps, state, participation, block)
  const findListed = (uids: readonly Hex[]) => selectListedUids(deps.database, deps.network.chainId, uids)
  const collecting = { ...deps, ...rules, bases: state.bases, findListed }
  const { solutions, leftOut } = await collectSolutions(collecting, auction)
  const cut = { auction: auction.id, block: auction.block, orders: auction.orders.size, solutions: solutions.length }
  if (solutions.length === 0) {
    state.lastFruitless = { content: auction.content, at: startedAt }
    return { ...cut, winners: 0 }
  }
  const attempts = await decideAuction({ ...deps, ...rules }, auction, solutions, leftOut)
  // The remaining orders may find a solution before the next block, except on the pair of a failed settlement.
  state.woken = true
  for (const attempt of attempts) {
    const onFailure = () => {
      for (const pair of attempt.pairs) state.failedPairs.set(pair, auction.block)
    }
    deps.background(runStep(deps, 'settle', () => settleWinner(deps, attempt, onFailure)))
  }
  return { ...cut, winners: attempts.length }
}

/** Participation of solvers in an auction on `block`. */
const findRules = async (
  deps: ClockDeps,
  state: ClockState,
  participation: Participation,
  block: IndexedBlock,
): Promise<Rules & Pick<CollectSolutionsDeps, 'findAllowed'>> => {
  const accounts = deps.solvers.map(({ address }) => address)
  // standings depend on the allowed solvers
  const known = participation.suspensions.size > 0 ? await findAllowed(deps, state, accounts) : undefined
  const able = known ? accounts.filter((account) => known.has(account)) : accounts
  const facts = { block: block.number, deadlineBlocks: deps.submissionDeadlineBlocks, waiting: state.waiting }
  return {
    ...computeRules({ participation, able, ...facts }),
    findAllowed: async () => known ?? findAllowed(deps, state, accounts),
  }
}

/** Accounts that may settle; the previous ones when the node fails. */
const findAllowed = async (
  deps: ClockDeps,
  state: ClockState,
  accounts: readonly Address[],
): Promise<ReadonlySet<Address>> => {
  try {
    state.allowed = await findAllowedSolvers(deps, state, accounts)
  } catch (error) {
    if (!state.allowed) throw error
    deps.log({ message: 'allowed solvers unknown', network: deps.network.name, cause: describeError(error) })
  }
  return state.allowed
}

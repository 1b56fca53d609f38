import type { Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import { selectListedUids } from '#schema/queries/listedOrders.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import { collectSolutions } from './competition/collectSolutions.ts'
import { decideAuction } from './competition/decideAuction.ts'
import { findAllowedSolvers } from './competition/findAllowedSolvers.ts'
import { settleWinner } from './competition/settleWinner.ts'
import { cutAuction } from './cutting/cutAuction.ts'
import { runStep } from './runStep.ts'

/** What became of an auction: counts, but for its id and block. */
export type HeldAuction = { auction: number; block: number; orders: number; solutions: number; winners: number }

/**
 * Holds one auction on `block`, the newest indexed one: cut, collect, rank, record. Settling goes on in the background;
 * what becomes of it is read from the chain. Contents that nobody could solve are not tried again on the same block
 * before an interval has passed.
 * @returns undefined when there was nothing to auction
 */
export const runRound = async (
  deps: ClockDeps,
  state: ClockState,
  block: IndexedBlock,
): Promise<HeldAuction | undefined> => {
  const startedAt = deps.now()
  const { lastFruitless } = state
  const auction = await cutAuction(
    deps,
    state,
    block,
    (content) => content === lastFruitless?.content && Math.abs(startedAt - lastFruitless.at) < deps.auctionIntervalMs,
  )
  if (!auction) return undefined
  const accounts = deps.solvers.map(({ address }) => address)
  const findAllowed = () => findAllowedSolvers(deps, state, accounts)
  const findListed = (uids: readonly Hex[]) => selectListedUids(deps.database, deps.network.chainId, uids)
  const solutions = await collectSolutions({ ...deps, findAllowed, findListed }, auction)
  const cut = { auction: auction.id, block: auction.block, orders: auction.orders.size, solutions: solutions.length }
  if (solutions.length === 0) {
    state.lastFruitless = { content: auction.content, at: startedAt }
    return { ...cut, winners: 0 }
  }
  const attempts = await decideAuction(deps, auction, solutions)
  // the orders that are left may find a solution without waiting for the next block
  state.woken = true
  for (const attempt of attempts) deps.background(runStep(deps, 'settle', () => settleWinner(deps, attempt)))
  return { ...cut, winners: attempts.length }
}

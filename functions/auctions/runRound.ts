import type { IndexedBlock } from '#schema/queries/blocks.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import { collectSolutions } from './collectSolutions.ts'
import { cutAuction } from './cutAuction.ts'
import { findAllowedSolvers } from './findAllowedSolvers.ts'
import { pickWinners } from './pickWinners.ts'
import { recordAuction } from './recordAuction.ts'
import { runStep } from './runStep.ts'
import { settleWinner } from './settleWinner.ts'

/** An auction has at most this many winners. */
const maxWinners = 20

/**
 * Holds one auction on `block`, the newest indexed one: cut, collect, rank, record. Settling goes on in the background;
 * what becomes of it is read from the chain. Contents that nobody could solve are not tried again on the same block
 * before an interval has passed.
 */
export const runRound = async (deps: ClockDeps, state: ClockState, block: IndexedBlock): Promise<void> => {
  const startedAt = deps.now()
  const { lastFruitless } = state
  const auction = await cutAuction(
    deps,
    state,
    block,
    (content) => content === lastFruitless?.content && startedAt - lastFruitless.at < deps.auctionIntervalMs,
  )
  if (!auction) return
  const findAllowed = () => findAllowedSolvers(deps, state)
  const solutions = await collectSolutions({ ...deps, findAllowed }, auction)
  if (solutions.length === 0) {
    state.lastFruitless = { content: auction.content, at: startedAt }
    return
  }
  const { shuffle, network } = deps
  const ranked = pickWinners({ shuffle, maxWinners, wrappedNative: network.wrappedNative }, solutions)
  const attempts = await recordAuction(deps, auction, ranked)
  // the orders that are left may find a solution without waiting for the next block
  state.woken = true
  for (const attempt of attempts) deps.background(runStep(deps, 'settle', () => settleWinner(deps, attempt)))
  deps.log({ message: 'auction', auction: auction.id, solutions: ranked.length, winners: attempts.length })
}

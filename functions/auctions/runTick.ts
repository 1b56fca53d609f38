import type { IndexedBlock } from '#schema/queries/blocks.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import { computePause } from './indexing/computePause.ts'
import { indexChain } from './indexing/indexChain.ts'
import { runRound } from './runRound.ts'
import { runStep } from './runStep.ts'

/** Chunks indexed in one tick while catching up. */
const maxChunks = 20

/**
 * One beat of the clock: index the chain up to its head, then hold an auction unless one is being held. The auction goes on
 * in the background, so that the chain is watched while solvers think. Each part may fail or be killed at any point: the
 * next tick starts from what the database says.
 */
export const runTick = async (deps: ClockDeps, state: ClockState): Promise<void> => {
  if (state.ticking || deps.now() < state.pause.until) return
  state.ticking = true
  try {
    const head = await runStep(deps, 'index', () => catchUp(deps, state))
    if (head && !state.round && isRoundDue(deps, state, head)) startRound(deps, state, head)
  } finally {
    state.ticking = false
  }
}

/** @returns undefined while the head is further away than one tick indexes */
const catchUp = async (deps: ClockDeps, state: ClockState): Promise<IndexedBlock | undefined> => {
  try {
    const head = await indexChunks(deps, state)
    state.pause.times = 0
    return head
  } catch (error) {
    const pauseMs = computePause(error, state.pause.times)
    if (pauseMs > 0) state.pause = { until: deps.now() + pauseMs, times: state.pause.times + 1 }
    throw error
  }
}

const indexChunks = async (deps: ClockDeps, state: ClockState): Promise<IndexedBlock | undefined> => {
  for (let i = 0; i < maxChunks; i++) {
    const { head, caughtUp } = await indexChain(deps, state.index)
    if (caughtUp) return head
  }
  return undefined
}

const isRoundDue = (
  { now, auctionIntervalMs }: ClockDeps,
  { woken, lastRound }: ClockState,
  head: IndexedBlock,
): boolean => woken || lastRound?.blockHash !== head.hash || now() - lastRound.at >= auctionIntervalMs

const startRound = (deps: ClockDeps, state: ClockState, head: IndexedBlock): void => {
  state.woken = false
  state.lastRound = { blockHash: head.hash, at: deps.now() }
  state.round = runStep(deps, 'auction', () => runRound(deps, state, head)).finally(() => {
    state.round = undefined
  })
  deps.background(state.round)
}

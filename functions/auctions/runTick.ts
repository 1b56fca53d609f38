import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import { computePause, isPaused } from './indexing/computePause.ts'
import { type Indexed, indexChain } from './indexing/indexChain.ts'
import { logWork } from './logWork.ts'
import { runRound } from './runRound.ts'
import { runStep } from './runStep.ts'

/** Maximum number of chunks indexed per tick while catching up. */
const maxChunks = 20

/**
 * One tick: index the chain up to its head, then start an auction unless one is running. The auction continues in the
 * background, so that indexing continues during the competition. Each part may fail or be killed at any point: the next
 * tick resumes from the database.
 */
export const runTick = async (deps: ClockDeps, state: ClockState): Promise<void> => {
  if (state.ticking || isPaused(state.pause.until, deps.now())) return
  state.ticking = true
  try {
    const indexed = await logWork(deps, 'tick', () => runStep(deps, 'index', () => catchUp(deps, state)), describeTick)
    if (indexed && indexed.blocks > 0) notify(deps)
    if (!indexed?.caughtUp || state.round) return
    if (isRoundDue(deps, state, indexed.head)) startRound(deps, state, indexed.head)
  } finally {
    state.ticking = false
  }
}

/** `head` is null when indexing failed. */
const describeTick = (indexed: Indexed | undefined) => ({
  blocks: indexed?.blocks ?? 0,
  head: indexed?.head.number ?? null,
  caughtUp: indexed?.caughtUp ?? false,
})

const catchUp = async (deps: ClockDeps, state: ClockState): Promise<Indexed> => {
  try {
    const indexed = await indexChunks(deps, state)
    state.pause.times = 0
    return indexed
  } catch (error) {
    const pauseMs = computePause(error, state.pause.times)
    if (pauseMs > 0) state.pause = { until: deps.now() + pauseMs, times: state.pause.times + 1 }
    throw error
  }
}

/** Indexes up to the head, or to the limit of one tick. */
const indexChunks = async (deps: ClockDeps, state: ClockState): Promise<Indexed> => {
  let blocks = 0
  for (let chunk = 1; ; chunk++) {
    const indexed = await indexChain(deps, state.index)
    blocks += indexed.blocks
    if (indexed.caughtUp || chunk === maxChunks) return { ...indexed, blocks }
  }
}

const isRoundDue = (
  { now, auctionIntervalMs }: ClockDeps,
  { woken, lastRound }: ClockState,
  head: IndexedBlock,
): boolean => woken || lastRound?.blockHash !== head.hash || Math.abs(now() - lastRound.at) >= auctionIntervalMs

/** Best effort: the notifier also polls every minute. */
const notify = (deps: ClockDeps): void => {
  const { notify: ask } = deps
  if (ask) deps.background(runStep(deps, 'notify', ask))
}

const startRound = (deps: ClockDeps, state: ClockState, head: IndexedBlock): void => {
  state.woken = false
  state.lastRound = { blockHash: head.hash, at: deps.now() }
  const holdAuction = () => runStep(deps, 'auction', () => runRound(deps, state, head))
  state.round = logWork(deps, 'auction', holdAuction, (held) => held).finally(() => {
    state.round = undefined
    notify(deps)
  })
  deps.background(state.round)
}

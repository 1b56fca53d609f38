import { catchUp } from './catchUp.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import { isPaused } from './indexing/computePause.ts'
import type { Indexed } from './indexing/indexChain.ts'
import { logWork } from './logWork.ts'
import { runStep } from './runStep.ts'
import { isRoundDue, notify, startRound } from './startRound.ts'

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

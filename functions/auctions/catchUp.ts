import type { ClockDeps } from './clockDeps.ts'
import type { ClockState } from './clockState.ts'
import { computePause } from './indexing/computePause.ts'
import { type Indexed, indexChain } from './indexing/indexChain.ts'

/** Maximum number of chunks indexed per tick while catching up. */
const maxChunks = 20

/** Indexes new blocks; after a failure the clock pauses for longer and longer. */
export const catchUp = async (deps: ClockDeps, state: ClockState): Promise<Indexed> => {
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

import { computePause, isPaused } from './computePause.ts'
import { createIndexState, type Indexed, indexChain } from './indexChain.ts'
import type { IndexingDeps } from './indexingDeps.ts'

/** Maximum number of chunks indexed per call while catching up. */
const maxChunks = 20

/**
 * Indexing: copies the chain into the database.
 *
 * One pass (`indexChain`) compares the node's head with the newest stored blocks, plans how many to undo after a
 * reorganisation (`planUndo`), reads the logs of a range of blocks and proves them against the headers
 * (`findChainEvents`), finds which winning solution each settlement carries out (`attribution/`) and the orders placed
 * on-chain (`placements/`), and writes all of it with the cursor in one transaction (`updateChain`). It can be killed
 * at any point: the database is either before or after a pass.
 *
 * Nodes are not trusted: a lagging or wrong one causes an error and a retry, never a mixed result.
 */
export const createIndexing = (deps: IndexingDeps): Indexing => {
  const state = createIndexState()
  /** end of the pause required by the node's rate limit (Unix milliseconds), and consecutive rate limit errors */
  let pause = { until: 0, times: 0 }
  return {
    advance: async () => {
      if (isPaused(pause.until, deps.now())) return undefined
      try {
        let blocks = 0
        for (let chunk = 1; ; chunk++) {
          const indexed = await indexChain(deps, state)
          blocks += indexed.blocks
          pause.times = 0
          if (indexed.caughtUp || chunk === maxChunks) return { ...indexed, blocks }
        }
      } catch (error) {
        const pauseMs = computePause(error, pause.times)
        if (pauseMs > 0) pause = { until: deps.now() + pauseMs, times: pause.times + 1 }
        throw error
      }
    },
  }
}

export type Indexing = {
  /**
   * Indexes new blocks up to the head, or to the limit of one call.
   * @returns undefined during a pause, which grows with consecutive rate limit errors of the node
   * @throws Error when the node or the database fails; the next call resumes
   */
  advance: () => Promise<Indexed | undefined>
}

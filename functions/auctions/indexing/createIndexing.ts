import { writeChainDifferences } from '#schema/queries/chain/chainDifferences.ts'
import { MissingLogsError } from '../chain/NodeError.ts'
import { runStep } from '../runStep.ts'
import { createComparison } from './comparison/createComparison.ts'
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
 * Nodes are not trusted: a lagging or wrong one causes an error and a retry, never a mixed result. Logs that it leaves
 * out are read from another node of `RPC_URL`. What no proof detects is found by comparing orders with the chain
 * (`comparison/`). Open differences are stored for `/status` and `/readyz`.
 */
export const createIndexing = (deps: IndexingDeps): Indexing => {
  const { database, network } = deps
  const state = createIndexState()
  const comparison = createComparison(deps)
  /** end of the pause required by the node's rate limit (Unix milliseconds), and consecutive rate limit errors */
  let pause = { until: 0, times: 0 }
  /** differences as stored; undefined before the first write */
  let stored: string | undefined

  /** @param missing of the newest pass */
  const storeDifferences = async (missing?: MissingLogsError): Promise<void> => {
    const current = new Map<string, string>(comparison.describe())
    if (missing) current.set('index', missing.message)
    const text = JSON.stringify([...current])
    if (text === stored) return
    await writeChainDifferences(database, network.chainId, current)
    stored = text
  }

  /** Best effort: a failure delays the comparison only. */
  const compare = ({ head, blocks }: Indexed): Promise<void> =>
    runStep(deps, 'compare', async () => {
      if (blocks > 0 || comparison.isDue()) await comparison.run(head, state.chunkSize)
      await storeDifferences()
    })

  return {
    advance: async () => {
      if (isPaused(pause.until, deps.now())) return undefined
      try {
        let blocks = 0
        for (let chunk = 1; ; chunk++) {
          const indexed = await indexChain(deps, state)
          blocks += indexed.blocks
          pause.times = 0
          if (indexed.caughtUp) await compare({ ...indexed, blocks })
          if (indexed.caughtUp || chunk === maxChunks) return { ...indexed, blocks }
        }
      } catch (error) {
        const pauseMs = computePause(error, pause.times)
        if (pauseMs > 0) pause = { until: deps.now() + pauseMs, times: pause.times + 1 }
        if (error instanceof MissingLogsError) await runStep(deps, 'compare', () => storeDifferences(error))
        throw error
      }
    },
  }
}

export type Indexing = {
  /**
   * Indexes new blocks up to the head, or to the limit of one call, then compares orders with the chain.
   * @returns undefined during a pause, which grows with consecutive rate limit errors of the node
   * @throws Error when the node or the database fails; the next call resumes
   */
  advance: () => Promise<Indexed | undefined>
}

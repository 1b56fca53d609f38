import { describeError } from '#shared/http/describeError.ts'
import { type HolderSource, maxHolders } from './holderSource.ts'
import type { HolderStore } from './holderStore.ts'

export const ownSourceName = 'own'

export type OwnHoldersDeps = {
  store: Pick<HolderStore, 'findIndexed' | 'findLargest'>
  /** updates the store to the head; false when it is not there yet, rejects when the node fails */
  advance: () => Promise<boolean>
}

/**
 * Holders of one token from the own index, which is updated to the head first. An incomplete index is a failure,
 * because a missing holder may be the largest.
 */
export const ownHolders = ({ store, advance }: OwnHoldersDeps): HolderSource => ({
  name: ownSourceName,
  findHolders: async () => {
    try {
      if (!(await advance())) return { status: 'failed', reason: `indexed to block ${store.findIndexed()} so far` }
      const holders = store.findLargest(maxHolders)
      return holders.length > 0 ? { status: 'holders', holders } : { status: 'unknown' }
    } catch (error) {
      return { status: 'failed', reason: describeError(error) }
    }
  },
})

import { cacheFor } from '#shared/cacheFor.ts'
import { describeError } from '#shared/http/describeError.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import type { FindPauses, Pauses } from '#shared/pauses/pauses.ts'
import type { NetworkDatabase } from '../../networkDatabase.ts'
import { selectPauses } from './pauses.ts'

/** A pause takes effect after this time and a read of the database, in each isolate. */
const lifetimeMs = 5_000

/**
 * Finds the pauses of a network, cached for five seconds. While the database fails, the last known ones count; without any the
 * error is thrown, because a pause must not end with a restart.
 * @param now Unix milliseconds
 */
export const createPauseFinder = ({ database, chainId }: NetworkDatabase, now: () => number): FindPauses => {
  let last: Pauses | undefined
  return cacheFor(lifetimeMs, now, async () => {
    try {
      const rows = await selectPauses(database, chainId)
      last = new Map(rows.map(({ subject, reason }) => [subject, reason]))
    } catch (error) {
      if (!last) throw error
      logEntry({ message: 'pauses not read', cause: describeError(error) })
    }
    return last
  })
}

import type { Database } from '#schema/client.ts'
import { markCarried, selectUndispatched, upsertCarried } from '#schema/queries/notifications/carriedNotifications.ts'

const atOnce = 100
/** Maximum batches; the next call continues. */
const maxRounds = 20

/**
 * Copies new notifications of a network with its own database to the one with the subscriptions. Idempotent and safe to run
 * concurrently: a row counts as dispatched in its own database only once it is stored in the other one.
 * @returns number of copied notifications
 * @throws errors of both databases
 */
export const carryNotifications = async (from: Database, to: Database): Promise<number> => {
  let carried = 0
  for (let round = 0; round < maxRounds; round++) {
    const found = await selectUndispatched(from, atOnce)
    if (found.length > 0) {
      await upsertCarried(to, found)
      await markCarried(from, found)
    }
    carried += found.length
    if (found.length < atOnce) break
  }
  return carried
}

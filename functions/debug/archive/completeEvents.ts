import type { DebugFacts, StoredDebugFacts } from '#schema/queries/debug/debugReport.ts'
import type { ArchivedEvents } from './archivedEvents.ts'

/**
 * The events of an order, oldest first: those of the archive, and those that are in the database still or again. An archived event
 * that a reorganisation has undone since is not among them.
 */
export const completeEvents = (
  stored: StoredDebugFacts['events'],
  archived: readonly ArchivedEvents[],
): DebugFacts['events'] => {
  if (archived.length === 0) return stored
  const storedKeys = new Set(stored.map(({ key }) => key))
  const valid = archived.flatMap(({ events }) => events).filter(({ id }) => !storedKeys.has(`undone:${id}`))
  return [...new Map([...valid, ...stored].map((event) => [event.key, event])).values()].sort(
    (a, b) => compareText(a.time, b.time) || a.id - b.id,
  )
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

import type { Hex } from 'viem'
import type { DebugFacts, StoredDebugFacts } from '#schema/queries/debug/debugReport.ts'
import type { FindArchived } from './connectArchive.ts'

/**
 * The events of an order, oldest first: those of the archive, and those that are in the database still or again. An archived event
 * that a reorganisation has undone since is not among them.
 */
export const completeEvents = async (
  uid: Hex,
  stored: StoredDebugFacts['events'],
  findArchived: FindArchived['events'],
): Promise<DebugFacts['events']> => {
  const parts = [...new Set(stored.flatMap(({ archivePart }) => archivePart ?? []))]
  if (parts.length === 0) return stored
  const found = await Promise.all(parts.map((part) => findArchived(part, uid)))
  const storedKeys = new Set(stored.map(({ key }) => key))
  const archived = found.flatMap(({ events }) => events).filter(({ id }) => !storedKeys.has(`undone:${id}`))
  return [...new Map([...archived, ...stored].map((event) => [event.key, event])).values()].sort(
    (a, b) => compareText(a.time, b.time) || a.id - b.id,
  )
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

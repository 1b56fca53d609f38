import type { Hex } from 'viem'
import type { DebugFacts, StoredDebugFacts } from '#schema/queries/debug/debugReport.ts'
import type { FindArchived } from './connectArchive.ts'

/** The events of an order, oldest first: those of the archive, and those that are in the database still or again. */
export const completeEvents = async (
  uid: Hex,
  stored: StoredDebugFacts['events'],
  findArchived: FindArchived['events'],
): Promise<DebugFacts['events']> => {
  const parts = [...new Set(stored.flatMap(({ archivePart }) => archivePart ?? []))]
  if (parts.length === 0) return stored
  const found = await Promise.all(parts.map((part) => findArchived(part, uid)))
  const all = [...found.flatMap(({ events }) => events), ...stored]
  return [...new Map(all.map((event) => [event.key, event])).values()].sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id,
  )
}

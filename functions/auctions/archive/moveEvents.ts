import type { Hex } from 'viem'
import type { EventsCursor, EventsLimits } from '#schema/queries/events/archivedEvents.ts'
import type { EventsLine } from '#schema/queries/events/eventsLine.ts'
import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'
import { buildEventsKey } from '#shared/archive/buildEventsKey.ts'
import { describeError } from '#shared/http/describeError.ts'
import { writePart } from './writePart.ts'

export type EventArchiveDeps = {
  /** Unix milliseconds */
  now: () => number
  chainId: number
  /** whole days after an order's newest event */
  archiveAfterDays: number
  bucket: ArchiveBucket
  selectLines: (
    createdBefore: Date,
    after: EventsCursor | null,
    limits: EventsLimits,
  ) => Promise<{ lines: EventsLine[]; next: EventsCursor | null }>
  /** deletes what the object `part` contains; returns the number of orders whose events were as written */
  deleteLines: (part: Hex, lines: readonly EventsLine[]) => Promise<number>
}

/** The events of one order are read by reading its object, so that objects stay small. */
const limits: EventsLimits = { scanned: 5_000, orders: 200, bytes: 1_000_000 }
/** Objects written in one run: with a run per minute, up to 5.7 million orders a day. */
const maxParts = 20
/** Statements of one run that look for orders: it passes over half a million that must wait. */
const maxSteps = 100
/** No object is begun after this time; crons start every minute. */
const maxRunMs = 25_000
const dayMs = 86_400_000

/**
 * Moves events of ended orders to the archive, oldest orders first, in the steps of `moveCompetitions`. An order that still
 * changes, or changed within the days, is passed over.
 */
export const moveEvents = async (deps: EventArchiveDeps): Promise<void> => {
  const startedAt = deps.now()
  const createdBefore = new Date(Math.floor(startedAt / dayMs - deps.archiveAfterDays) * dayMs)
  let archived = 0
  try {
    let after: EventsCursor | null = null
    for (let step = 0, written = 0; step < maxSteps && written < maxParts; step++) {
      if (deps.now() - startedAt >= maxRunMs) break
      const { lines, next } = await deps.selectLines(createdBefore, after, limits)
      if (next === null) break
      after = next
      if (lines.length === 0) continue
      written += 1
      const hash = await writePart(deps.bucket, lines, (name) => buildEventsKey(deps.chainId, `0x${name}`))
      const moved = await deps.deleteLines(`0x${hash}`, lines)
      archived += moved
      // another run has moved the others, or an event was written since
      if (moved < lines.length) throw new Error(`events of ${lines.length - moved} orders stay in the database`)
    }
  } catch (error) {
    console.error(JSON.stringify({ message: 'events could not be archived', cause: describeError(error) }))
  }
  if (archived > 0) console.log(JSON.stringify({ message: 'events archived', orders: archived }))
}

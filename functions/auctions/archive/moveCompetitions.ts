import type { CompetitionLine, PartLimits } from '#schema/queries/auctions/archivedCompetitions.ts'
import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'
import { describeError } from '#shared/http/describeError.ts'
import { writePart } from './writePart.ts'

export type ArchiveDeps = {
  /** Unix milliseconds */
  now: () => number
  chainId: number
  /** whole days after which a competition moves */
  archiveAfterDays: number
  bucket: ArchiveBucket
  selectLines: (createdBefore: Date, limits: PartLimits) => Promise<CompetitionLine[]>
  /** deletes what the object `key` contains; returns the number of its auctions that were not archived before */
  deleteLines: (key: string, lines: readonly CompetitionLine[]) => Promise<number>
}

/** A single auction is read by reading its object, so that objects stay small. */
const limits: PartLimits = { auctions: 64, bytes: 4_000_000 }
/** Objects written in one run: with a run per minute, up to 1.8 million auctions a day. */
const maxParts = 20
/** No object is begun after this time; crons start every minute. */
const maxRunMs = 25_000
const dayMs = 86_400_000

/**
 * Moves competitions of closed days (UTC) to the archive, oldest first, in bounded steps: write an object, read it back, delete
 * its rows in one statement. After an interruption at any point the next run begins with the same competitions. A failure
 * is logged.
 */
export const moveCompetitions = async (deps: ArchiveDeps): Promise<void> => {
  const startedAt = deps.now()
  const createdBefore = new Date(Math.floor(startedAt / dayMs - deps.archiveAfterDays) * dayMs)
  let archived = 0
  try {
    for (let part = 0; part < maxParts && deps.now() - startedAt < maxRunMs; part++) {
      const lines = await deps.selectLines(createdBefore, limits)
      if (lines.length === 0) break
      const key = await writeCompetitions(deps, lines)
      const moved = await deps.deleteLines(key, lines)
      archived += moved
      // another run has moved the others, or a row has changed since it was written
      if (moved < lines.length) throw new Error(`${lines.length - moved} competitions of ${key} stay in the database`)
    }
  } catch (error) {
    console.error(JSON.stringify({ message: 'competitions could not be archived', cause: describeError(error) }))
  }
  if (archived > 0) console.log(JSON.stringify({ message: 'competitions archived', archived }))
}

/** Returns the key, `competitions/{chainId}/{day}/{first id}-{last id}-{hash}.jsonl.gz`. */
const writeCompetitions = async (
  { bucket, chainId }: Pick<ArchiveDeps, 'bucket' | 'chainId'>,
  lines: readonly CompetitionLine[],
): Promise<string> => {
  const range = `${lines[0]?.day}/${lines[0]?.id}-${lines.at(-1)?.id}`
  const buildKey = (hash: string) => `competitions/${chainId}/${range}-${hash}.jsonl.gz`
  return buildKey(await writePart(bucket, lines, buildKey))
}

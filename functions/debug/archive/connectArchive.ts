import type { Hex } from 'viem'
import type { z } from 'zod'
import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'
import { buildEventsKey } from '#shared/archive/buildEventsKey.ts'
import { decompressText } from '#shared/archive/gzip.ts'
import { toUnavailable } from '#shared/http/toUnavailable.ts'
import { type ArchivedCompetition, archivedCompetitionSchema } from './archivedCompetition.ts'
import { type ArchivedEvents, archivedEventsSchema } from './archivedEvents.ts'

/**
 * Reads of the archive. The database says that an object has what is looked for, so that any failure is an outage: each rejects
 * with the ApiError `ServiceUnavailable`.
 */
export type FindArchived = {
  /** those of one object, in the order of `ids` */
  competitions: (key: string, ids: readonly number[]) => Promise<ArchivedCompetition[]>
  events: (part: Hex, uid: Hex) => Promise<ArchivedEvents>
}

/** @param bucket undefined: the Worker has no archive */
export const connectArchive = (bucket: ArchiveBucket | undefined, chainId: number): FindArchived => ({
  competitions: (key, ids) =>
    findLines(
      bucket,
      key,
      ids.map((id) => `{"id": ${id},`),
      archivedCompetitionSchema,
    ),
  events: async (part, uid) => {
    const start = `{"uid": "${uid}",`
    const [line] = await findLines(bucket, buildEventsKey(chainId, part), [start], archivedEventsSchema)
    return line as ArchivedEvents
  },
})

/** @param starts of the lines: each begins with its id, so that no other is parsed */
const findLines = async <Schema extends z.ZodType>(
  bucket: ArchiveBucket | undefined,
  key: string,
  starts: readonly string[],
  schema: Schema,
): Promise<z.output<Schema>[]> => {
  try {
    if (!bucket) throw new Error('no binding ARCHIVE')
    const object = await bucket.get(key)
    if (!object) throw new Error(`no object ${key}`)
    const lines = (await decompressText(await object.arrayBuffer())).split('\n')
    return starts.map((start) => {
      const line = lines.find((each) => each.startsWith(start))
      if (line === undefined) throw new Error(`no line of ${key} begins with ${start}`)
      return schema.parse(JSON.parse(line))
    })
  } catch (error) {
    throw toUnavailable('archive', error)
  }
}

import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'
import { decompressText } from '#shared/archive/gzip.ts'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import { type ArchivedCompetition, archivedCompetitionSchema } from './archivedCompetition.ts'

/**
 * One competition of an archive object.
 * @param bucket undefined: the Worker has no archive
 * @throws ApiError `ServiceUnavailable`: the database says that the object has it, so that any failure is an outage
 */
export const findArchivedCompetition = async (
  bucket: ArchiveBucket | undefined,
  key: string,
  id: number,
): Promise<ArchivedCompetition> => {
  try {
    if (!bucket) throw new Error('no binding ARCHIVE')
    const object = await bucket.get(key)
    if (!object) throw new Error(`no object ${key}`)
    return readLine(await decompressText(await object.arrayBuffer()), id)
  } catch (error) {
    throw new ApiError('ServiceUnavailable', {
      data: { dependency: 'archive', retryable: true },
      context: { cause: describeError(error) },
    })
  }
}

/** Each line begins with its id, so that only one is parsed. */
const readLine = (text: string, id: number): ArchivedCompetition => {
  const start = `{"id": ${id},`
  const line = text.split('\n').find((each) => each.startsWith(start))
  if (line === undefined) throw new Error(`the object has no auction ${id}`)
  return archivedCompetitionSchema.parse(JSON.parse(line))
}

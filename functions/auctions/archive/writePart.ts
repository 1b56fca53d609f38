import { createHash } from 'node:crypto'
import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'
import { compressText, decompressText } from '#shared/archive/gzip.ts'

/**
 * Writes lines as one object, compressed, and reads it back. The key contains the hash of the text: writing the same part again
 * changes nothing, and another part never replaces it.
 * @param lines not empty
 * @param buildKey of the first 8 bytes of the text's SHA-256, in hex
 * @returns the hash
 * @throws Error when the object has another content than what was written
 */
export const writePart = async (
  bucket: ArchiveBucket,
  lines: readonly { line: string }[],
  buildKey: (hash: string) => string,
): Promise<string> => {
  const text = lines.map(({ line }) => `${line}\n`).join('')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const key = buildKey(hash)
  await bucket.put(key, await compressText(text))
  const stored = await bucket.get(key)
  if (!stored || (await decompressText(await stored.arrayBuffer())) !== text)
    throw new Error(`the archive object ${key} differs from what was written`)
  return hash
}

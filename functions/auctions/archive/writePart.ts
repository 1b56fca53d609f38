import type { CompetitionLine } from '#schema/queries/auctions/archivedCompetitions.ts'
import type { ArchiveBucket } from '#shared/archive/archiveBucket.ts'
import { compressText, decompressText } from '#shared/archive/gzip.ts'

/**
 * Writes competitions of one day as one object, a line each, compressed, and reads it back. The key contains the hash of the
 * text: writing the same part again changes nothing, and another part never replaces it.
 * @param lines not empty, by id
 * @returns the key: `competitions/{chainId}/{day}/{first id}-{last id}-{hash}.jsonl.gz`
 * @throws Error when the object has another content than what was written
 */
export const writePart = async (
  bucket: ArchiveBucket,
  chainId: number,
  lines: readonly CompetitionLine[],
): Promise<string> => {
  const text = lines.map(({ line }) => `${line}\n`).join('')
  const hash = await computeHash(text)
  const key = `competitions/${chainId}/${lines[0]?.day}/${lines[0]?.id}-${lines.at(-1)?.id}-${hash}.jsonl.gz`
  await bucket.put(key, await compressText(text))
  const stored = await bucket.get(key)
  if (!stored || (await decompressText(await stored.arrayBuffer())) !== text)
    throw new Error(`the archive object ${key} differs from what was written`)
  return key
}

/** The first 8 bytes of SHA-256, in hex. */
const computeHash = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest, 0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

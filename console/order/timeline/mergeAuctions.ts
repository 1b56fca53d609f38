import type { Entry } from './times/timelineFacts.ts'

/** Merges consecutive auctions without a win into one entry, so that the list stays short. */
export const mergeAuctions = (entries: readonly Entry[]): Entry[] => {
  const merged: Entry[] = []
  for (const entry of entries) {
    const last = merged.at(-1)
    if (entry.kind !== 'auction' || entry.winner || !last) {
      merged.push(entry)
    } else if (last.kind === 'auctions') {
      merged[merged.length - 1] = { ...last, last: entry.id, count: last.count + 1, until: entry.time }
    } else if (last.kind === 'auction' && !last.winner) {
      const { time, id: first } = last
      merged[merged.length - 1] = {
        kind: 'auctions',
        time,
        ...(last.isAbout ? { isAbout: true } : {}),
        first,
        last: entry.id,
        count: 2,
        until: entry.time,
      }
    } else {
      merged.push(entry)
    }
  }
  return merged
}

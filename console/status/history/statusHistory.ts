import type { AnyStatus } from '../alarms/findAlarms.ts'

/** What the page saw at one time; null where a network did not say. */
export type Sample = {
  /** Unix seconds */
  time: number
  auctionAgeSeconds: number | null
  lagBlocks: number | null
  lagSeconds: number | null
}

/** Seconds for which samples are kept. */
const keptSeconds = 15 * 60
/** Longer than this without a sample is a gap, not a line. */
const gapSeconds = 20

const toSample = (status: AnyStatus, time: number): Sample => {
  if (status.state === 'unavailable') return { time, ...nothing }
  const { auctions, indexer } = status
  return {
    time,
    // without open orders no auction is cut: its age means nothing then
    auctionAgeSeconds: auctions.openOrders > 0 ? auctions.newestAgeSeconds : null,
    lagBlocks: indexer.lagBlocks,
    lagSeconds: indexer.lagSeconds,
  }
}

const nothing = { auctionAgeSeconds: null, lagBlocks: null, lagSeconds: null }

/**
 * Adds what a network says now to what it said before.
 * @param samples oldest first
 * @param time of the status, Unix seconds; the same again, out of a cache, changes nothing
 */
export const addSample = (samples: readonly Sample[], status: AnyStatus, time: number): Sample[] => {
  const last = samples.at(-1)
  if (last && time <= last.time) return [...samples]
  const gap = last && time - last.time > gapSeconds ? [{ time: last.time + 1, ...nothing }] : []
  return [...samples, ...gap, toSample(status, time)].filter((sample) => sample.time > time - keptSeconds)
}

/**
 * Since when each limit is crossed, as far as the page has seen.
 * @param crossed keys of those that are crossed now
 * @param now Unix seconds
 */
export const keepSince = (
  since: Readonly<Record<string, number>>,
  crossed: readonly string[],
  now: number,
): Record<string, number> => Object.fromEntries(crossed.map((key) => [key, since[key] ?? now]))

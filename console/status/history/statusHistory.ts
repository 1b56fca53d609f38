import type { AnyStatus } from '../../../shared/alarms/computeAlarms.ts'

/** A sample of the page; null where a network did not respond. */
export type Sample = {
  /** Unix seconds */
  time: number
  auctionAgeSeconds: number | null
  lagBlocks: number | null
  lagSeconds: number | null
}

/** Age limit of samples, seconds. */
const maxAgeSeconds = 15 * 60
/** A longer pause between samples is drawn as a gap. */
const gapSeconds = 20

const toSample = (status: AnyStatus, time: number): Sample => {
  if (status.state === 'unavailable') return { time, ...nothing }
  const { auctions, indexer } = status
  return {
    time,
    // without open orders no auction is cut, so its age is omitted
    auctionAgeSeconds: auctions.openOrders > 0 ? auctions.newestAgeSeconds : null,
    lagBlocks: indexer.lagBlocks,
    lagSeconds: indexer.lagSeconds,
  }
}

const nothing = { auctionAgeSeconds: null, lagBlocks: null, lagSeconds: null }

/**
 * Appends the current status of a network to its samples.
 * @param samples oldest first
 * @param time of the status, Unix seconds; a cached status with the same time changes nothing
 */
export const addSample = (samples: readonly Sample[], status: AnyStatus, time: number): Sample[] => {
  const last = samples.at(-1)
  if (last && time <= last.time) return [...samples]
  const gap = last && time - last.time > gapSeconds ? [{ time: last.time + 1, ...nothing }] : []
  return [...samples, ...gap, toSample(status, time)].filter((sample) => sample.time > time - maxAgeSeconds)
}

/**
 * First time at which the page saw each exceeded limit.
 * @param crossed keys of currently exceeded limits
 * @param now Unix seconds
 */
export const updateSince = (
  since: Readonly<Record<string, number>>,
  crossed: readonly string[],
  now: number,
): Record<string, number> => Object.fromEntries(crossed.map((key) => [key, since[key] ?? now]))

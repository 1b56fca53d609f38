import type { Report } from '../figure.ts'
import { type LoadGenerator, startLoadGenerator } from '../load/startLoadGenerator.ts'
import { seedBook } from '../platform/seedBook.ts'
import { type Platform, startPlatform } from '../platform/startPlatform.ts'
import { findStreamUrls, openStreams, type Streams } from './openStreams.ts'
import { readMemory } from './readMemory.ts'
import type { SoakInterval } from './soakInterval.ts'
import { buildSoakKinds, computeCapacity, type SoakKind } from './soakKinds.ts'
import { toSoakReport } from './toSoakReport.ts'

const blockTime = 2
const capacitySeconds = 5
const connectionsOfKind = 8

/**
 * Runs orders, quotes, reads and streams together at half of the capacity, with auctions that settle some orders; the
 * others expire.
 * @param options.serve one isolate for all handlers
 * @param options.rate requests a second instead of half the measured capacity
 * @param options.history orders that the network already has
 */
export const benchSoak = async (
  options: { minutes: number; serve?: boolean; rate?: number | undefined; history?: number | undefined },
  report: (report: Report) => void,
): Promise<void> => {
  const platform = await startPlatform({
    ...{ blockTime, inspected: true, isCombined: options.serve ?? false, history: options.history },
  })
  const load = startLoadGenerator()
  const intervals: SoakInterval[] = []
  let streams: Streams | undefined
  let title = 'soak'
  try {
    const book = await seedBook(platform)
    const kinds = buildSoakKinds(book, platform.tokens)
    const rate = options.rate ?? (await measureCapacity(platform, load, kinds)) / 2
    const urls = await findStreamUrls(platform, book)
    title = `soak: ${options.minutes} minutes, ${Math.round(rate)} requests a second, ${urls.length} streams, ${options.history ?? 0} orders before`
    streams = openStreams(urls)
    const seconds = Math.min(60, (options.minutes * 60) / 6)
    const started = performance.now()
    while (performance.now() - started < options.minutes * 60_000 - 1_000) {
      const results = await Promise.all(kinds.map((kind) => runKind(platform, load, kind, { rate, seconds })))
      intervals.push({
        at: (performance.now() - started) / 1000,
        kinds: Object.fromEntries(results),
        streams: { open: urls.length, ...streams.read() },
        memory: await readMemory(platform),
      })
      console.log(`${Math.round((performance.now() - started) / 1000)} s of ${options.minutes * 60}`)
    }
  } finally {
    // a soak that aborts after half an hour still reports
    if (intervals.length > 0) report(toSoakReport(title, intervals))
    streams?.close()
    load.stop()
    await platform.stop()
  }
}

const measureCapacity = async (
  platform: Platform,
  load: LoadGenerator,
  kinds: readonly SoakKind[],
): Promise<number> => {
  const alone: { share: number; requestsPerSecond: number }[] = []
  for (const { share, requests } of kinds) {
    const plan = { url: platform.baseUrl, connections: connectionsOfKind, seconds: capacitySeconds, requests }
    alone.push({ share, requestsPerSecond: (await load.run(plan)).requestsPerSecond })
  }
  return computeCapacity(alone)
}

const runKind = async (
  platform: Platform,
  load: LoadGenerator,
  { name, share, requests }: SoakKind,
  { rate, seconds }: { rate: number; seconds: number },
) => {
  const plan = { url: platform.baseUrl, connections: connectionsOfKind, seconds, requests }
  return [name, await load.run({ ...plan, rate: Math.max(1, Math.round(rate * share)) })] as const
}

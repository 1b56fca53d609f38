import type { orders } from '#schema/tables/orders/orders.ts'
import { type Report, toReport } from '../figure.ts'
import { startMarket, unsignedOrders } from './startMarket.ts'
import { computeCpuMs, requestTick, startTickProcess, toTickFigures } from './tickProcesses.ts'
import type { Measurement } from './tickRunner.ts'

const sizes = [1_000, 10_000, 100_000]
/** Share of the book that changes before a tick. */
const changedShare = 0.01
const maxCpuMs = 1_000
/** Garbage collection doubles the time of one tick of about eight. */
const ticksPerFigure = 5
const oneToken = 10n ** 18n

type Plan = {
  size: number
  /** orders that change before a tick, a multiple of four */
  changes: number
  /** heap of the process */
  memoryMiB: number
  toChanges?: (seed: number) => Partial<typeof orders.$inferInsert>
}

/** Ticks of the auction clock over 5,000 open orders. */
export const benchAuctions = (report: (report: Report) => void): Promise<void> =>
  measureTicks({ size: 5_000, changes: 100, memoryMiB: 100 }, report)

/**
 * The clock over a growing book.
 * @throws Error without a Postgres server: beside the benchmark, the embedded database takes longer for the largest book than
 *   a statement may
 */
export const benchBook = async (report: (report: Report) => void): Promise<void> => {
  if (!process.env.TEST_DATABASE_URL) throw new Error('100,000 orders need a Postgres server: set TEST_DATABASE_URL')
  for (const size of sizes) {
    const changes = 4 * Math.ceil((size * changedShare) / 4)
    await measureTicks(
      { size, changes, memoryMiB: 128, toChanges: (seed) => ({ buyAmount: computeLimit(seed) }) },
      report,
    )
  }
}

/**
 * In a process with a limited heap: the first tick of a new clock, and the median of several ticks, for blocks without
 * changes and with changed orders.
 */
const measureTicks = async (
  { size, changes, memoryMiB, toChanges }: Plan,
  report: (report: Report) => void,
): Promise<void> => {
  const budget = { cpuMs: maxCpuMs, memoryMiB }
  const market = await startMarket()
  const ticks = startTickProcess(market, [`--max-old-space-size=${memoryMiB}`])
  try {
    await market.place(size, toChanges)
    const first = await requestTick(ticks)
    const measure = async (count: number, prepare: () => Promise<unknown>): Promise<Measurement> => {
      const measured: Measurement[] = []
      for (let i = 0; i < count; i++) {
        await prepare()
        measured.push(await requestTick(ticks))
      }
      return toMedian(measured)
    }
    const quiet = await measure(ticksPerFigure, () => market.mine())
    // a quarter of the changes are pre-signatures
    const most = Math.floor((4 * unsignedOrders) / changes)
    const changed = await measure(Math.min(ticksPerFigure, most), () => market.change(changes))
    const orders = `${size.toLocaleString('en')} open orders`
    // cold code and an empty cache: the memory counts, the time is that of a deployment
    report(toReport(`${orders}: first tick of a new clock`, toTickFigures(first)))
    report(toReport(`${orders}: nothing changed`, toTickFigures(quiet, budget)))
    report(toReport(`${orders}: ${changes} changed`, toTickFigures(changed, budget)))
  } finally {
    ticks.kill()
    await market.stop()
  }
}

/** Of several ticks the one with the median CPU, with the largest heap of all. */
const toMedian = (measured: readonly Measurement[]): Measurement => {
  const sorted = measured.toSorted((one, other) => computeCpuMs(one) - computeCpuMs(other))
  const median = sorted[Math.floor(sorted.length / 2)] as Measurement
  return { ...median, used: Math.max(...measured.map(({ used }) => used)) }
}

/**
 * Limits of a book: one order of 20 below the market, three up to 50 % above it, the others, out of the market, up to
 * four times it.
 * @returns buy token atoms for one token
 */
const computeLimit = (seed: number): bigint => {
  const kind = seed % 20
  const part = BigInt(seed % 97)
  if (kind === 0) return (oneToken * (980n + part / 5n)) / 1_000n
  if (kind < 4) return (oneToken * (1_000n + 5n * part)) / 1_000n
  return (oneToken * (1_520n + 25n * part)) / 1_000n
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Phase } from '#tools/bench/auctions/meterFetch.ts'
import { type BenchMarket, startMarket } from '#tools/bench/auctions/startMarket.ts'
import { createTickRunner, type Measurement } from '#tools/bench/auctions/tickRunner.ts'

let market: BenchMarket
let runner: ReturnType<typeof createTickRunner>

beforeAll(async () => {
  market = await startMarket()
  runner = createTickRunner(market)
}, 120_000)
afterAll(async () => {
  runner?.stop()
  await market?.stop()
})

const tick = async (): Promise<Measurement> => {
  const measurement = await runner.tick()
  expect(measurement.failures).toEqual([])
  return measurement
}
/** Of all phases together: work in the background may begin in one phase or the next. */
const countRoundTrips = ({ phases }: Measurement) => ({
  rpc: phases.reduce((sum, [, { rpc }]) => sum + rpc, 0),
  database: phases.reduce((sum, [, { database }]) => sum + database, 0),
})
const bytesOf = ({ phases }: Measurement, phase: Phase) => new Map(phases).get(phase)?.bytes ?? 0

/** The tick with the fewest round trips of three: some work, such as reading the pauses, is done once in some seconds. */
const tickThrice = async (prepare: () => Promise<unknown>): Promise<Measurement> => {
  const measured: Measurement[] = []
  for (let i = 0; i < 3; i++) {
    await market.mine()
    await prepare()
    measured.push(await tick())
  }
  const total = (measurement: Measurement) => Object.values(countRoundTrips(measurement)).reduce((a, b) => a + b)
  return measured.reduce((fewest, next) => (total(next) < total(fewest) ? next : fewest))
}

/** Round trips of a tick on a new block with warm caches: without changes, and with eight changes. */
const measure = async () => {
  await tick()
  // blocks, orders and attempts of the last few blocks are read again
  for (let i = 0; i < 6; i++) {
    await market.mine()
    await tick()
  }
  const quiet = await tickThrice(async () => undefined)
  return { quiet, changed: await tickThrice(() => market.change(8)) }
}

test('makes round trips for changes only, however many orders are open', async () => {
  await market.place(60)
  const few = await measure()
  await market.place(600)
  const many = await measure()
  expect(countRoundTrips(many.quiet)).toEqual(countRoundTrips(few.quiet))
  expect(countRoundTrips(many.changed)).toEqual(countRoundTrips(few.changed))
  for (const phase of ['index', 'balances', 'store'] as const) {
    expect(bytesOf(many.quiet, phase), phase).toBeLessThan(1.5 * bytesOf(few.quiet, phase))
  }
}, 120_000)

import { connectClock } from '../../../functions/auctions/connectClock.ts'
import { createClock } from '../../../functions/auctions/createClock.ts'
import { settingsSchema } from '../../../functions/auctions/settings.ts'
import { type Cost, meterFetch, type Phase } from './meterFetch.ts'
import type { BenchMarket } from './startMarket.ts'

/** Cost of one tick. */
export type Measurement = {
  phases: [Phase, Cost][]
  /** heap that the clock retains until the next tick, bytes; 0 without `--expose-gc` */
  retained: number
  /** heap after the tick, garbage included, bytes */
  used: number
  /** log lines other than ticks and auctions */
  failures: string[]
}

/** The solver reveals no calldata, so it never wins. */
const expected = new Set<unknown>(['tick', 'auction', 'solution rejected'])

/** Time between two ticks. Work that is due by age must not depend on how fast this machine is. */
const tickMs = 10_000

/** Runs ticks of the auction clock on a market, one after the other; the clock's memory is retained between them. */
export const createTickRunner = (market: Pick<BenchMarket, 'databaseUrl' | 'rpcUrl' | 'solverUrl' | 'solver'>) => {
  const settings = settingsSchema.parse({
    NETWORK: 'sepolia',
    DATABASE_URL: market.databaseUrl,
    RPC_URL: market.rpcUrl,
    SOLVERS: JSON.stringify([{ name: 'bench', address: market.solver, url: market.solverUrl }]),
    SOLVE_TIME_MS: '30000',
    CLOCK: {},
    SOLVER_CONNECTIONS: {},
  })
  const meter = meterFetch({ ...market, settlementContract: settings.NETWORK.settlementContract })
  let now = Date.now()
  let failures: string[] = []
  const running: Promise<unknown>[] = []
  const clock = createClock({
    ...connectClock(settings, {
      log: (entry) => {
        if (!expected.has(entry.message)) failures.push(JSON.stringify(entry))
      },
      background: (work) => running.push(work),
    }),
    now: () => now,
    // without the objects of workerd in between
    solvers: settings.solvers,
  })
  const tick = async (): Promise<Measurement> => {
    failures = []
    now += tickMs
    meter.read()
    await clock.tick()
    while (running.length > 0) await Promise.all(running.splice(0))
    const phases = [...meter.read()]
    const used = process.memoryUsage().heapUsed
    globalThis.gc?.()
    return { phases, used, retained: globalThis.gc ? process.memoryUsage().heapUsed : 0, failures }
  }
  return { tick, stop: meter.stop }
}

import { connectClock } from '../../../functions/auctions/connectClock.ts'
import { settingsSchema } from '../../../functions/auctions/settings.ts'
import { createStrategies } from '../../../functions/auctions/strategies/createStrategies.ts'
import { meterFetch } from './meterFetch.ts'
import type { BenchMarket } from './startMarket.ts'

/** What the conditional orders of one block cost. */
export type StrategiesCost = { cpuMs: number; rpc: number; database: number; judged: number; placed: number }

/** A process that only evaluates conditional orders, so that its CPU time is theirs: the newest block per message. */
const { databaseUrl, rpcUrl, solverUrl, solver } = JSON.parse(process.argv[2] ?? '') as BenchMarket
const settings = settingsSchema.parse({
  ...{ NETWORK: 'sepolia', DATABASE_URL: databaseUrl, RPC_URL: rpcUrl, CLOCK: {}, SOLVER_CONNECTIONS: {} },
  SOLVERS: JSON.stringify([{ name: 'bench', address: solver, url: solverUrl }]),
})
const meter = meterFetch({ databaseUrl, rpcUrl, settlementContract: settings.NETWORK.settlementContract })
const deps = connectClock(settings, { log: console.error, background: () => undefined })
const strategies = createStrategies(deps)

process.on('message', async () => {
  const { number, hash, timestamp } = await deps.chain.getBlock()
  const block = { number: Number(number), hash: hash ?? '0x', timestamp: new Date(Number(timestamp) * 1_000) }
  meter.read()
  const { judged, placed } = (await strategies.advance(block)) ?? { judged: 0, placed: 0 }
  const costs = [...meter.read().values()]
  const sum = (name: 'cpuMs' | 'rpc' | 'database') => costs.reduce((total, cost) => total + cost[name], 0)
  process.send?.({ cpuMs: sum('cpuMs'), rpc: sum('rpc'), database: sum('database'), judged, placed })
})

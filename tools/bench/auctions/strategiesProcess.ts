import { connectClock } from '../../../functions/auctions/connectClock.ts'
import { settingsSchema } from '../../../functions/auctions/settings.ts'
import { createStrategies } from '../../../functions/auctions/strategies/createStrategies.ts'
import type { BenchMarket } from './startMarket.ts'

/** What the conditional orders of one block cost. */
export type StrategiesCost = { cpuMs: number; rpc: number; database: number; judged: number; placed: number }

/** A process that only evaluates conditional orders, so that its CPU time is theirs: the newest block per message. */
const { databaseUrl, rpcUrl, solverUrl, solver } = JSON.parse(process.argv[2] ?? '') as BenchMarket
const settings = settingsSchema.parse({
  ...{ NETWORK: 'sepolia', DATABASE_URL: databaseUrl, RPC_URL: rpcUrl, CLOCK: {}, SOLVER_CONNECTIONS: {} },
  SOLVERS: JSON.stringify([{ name: 'bench', address: solver, url: solverUrl }]),
})
const requests = { rpc: 0, database: 0 }
const realFetch = globalThis.fetch
// without `meterFetch`, which reads the CPU time at each request: half a millisecond on some machines
globalThis.fetch = (input, init) => {
  const { host } = new URL(input instanceof Request ? input.url : input)
  requests[host === new URL(rpcUrl).host ? 'rpc' : 'database'] += 1
  return realFetch(input, init)
}
const deps = connectClock(settings, { log: console.error, background: () => undefined })
const strategies = createStrategies(deps)

process.on('message', async () => {
  const { number, hash, timestamp } = await deps.chain.getBlock()
  const block = { number: Number(number), hash: hash ?? '0x', timestamp: new Date(Number(timestamp) * 1_000) }
  Object.assign(requests, { rpc: 0, database: 0 })
  const before = process.cpuUsage()
  const { judged, placed } = (await strategies.advance(block)) ?? { judged: 0, placed: 0 }
  const { user, system } = process.cpuUsage(before)
  process.send?.({ cpuMs: (user + system) / 1_000, ...requests, judged, placed })
})

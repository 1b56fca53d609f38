import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Figure, type Report, toReport } from '../figure.ts'
import type { Cost } from './meterFetch.ts'
import { type BenchMarket, startMarket } from './startMarket.ts'
import type { Measurement } from './tickRunner.ts'

const sizes = [1_000, 5_000, 20_000]
/** The budget: one tick with 5,000 open orders, 100 of them changed */
const budgetSize = 5_000
const changes = 100
const budget = { cpuMs: 1_000, memoryMiB: 100 }
const mebibyte = 1024 * 1024

/**
 * Ticks of the auction clock over many open orders: the first tick of a new clock, one for a block without changes, one
 * with a hundred changes. Each market ticks in its own process, whose heap is limited up to the size of the budget.
 */
export const benchAuctions = async (report: (report: Report) => void): Promise<void> => {
  for (const size of sizes) {
    const market = await startMarket()
    const ticks = startTickProcess(market, size > budgetSize ? [] : [`--max-old-space-size=${budget.memoryMiB}`])
    try {
      await market.place(size)
      const first = await runTick(ticks)
      await market.mine()
      await runTick(ticks)
      await market.mine()
      const quiet = await runTick(ticks)
      await market.change(changes)
      const changed = await runTick(ticks)
      const orders = `${size.toLocaleString('en')} open orders`
      report(toReport(`${orders}: first tick of a new clock`, toFigures(first)))
      report(toReport(`${orders}: nothing changed`, toFigures(quiet)))
      report(toReport(`${orders}: ${changes} changed`, toFigures(changed, size === budgetSize ? budget : undefined)))
    } finally {
      ticks.kill()
      await market.stop()
    }
  }
}

const startTickProcess = (
  { databaseUrl, rpcUrl, solverUrl, solver }: BenchMarket,
  flags: readonly string[],
): ChildProcess =>
  fork(join(import.meta.dirname, 'tickProcess.ts'), [JSON.stringify({ databaseUrl, rpcUrl, solverUrl, solver })], {
    execArgv: ['--expose-gc', ...flags],
  })

const runTick = async (ticks: ChildProcess): Promise<Measurement> => {
  ticks.send('tick')
  const [measurement] = (await Promise.race([
    once(ticks, 'message'),
    once(ticks, 'exit').then(([code]) => Promise.reject(new Error(`the tick process exited with code ${code}`))),
  ])) as [Measurement]
  if (measurement.failures.length > 0) throw new Error(measurement.failures.join('\n'))
  return measurement
}

const toFigures = ({ phases, retained, used }: Measurement, limits?: typeof budget): Figure[] => {
  const sum = (pick: (cost: Cost) => number) => phases.reduce((total, [, cost]) => total + pick(cost), 0)
  return [
    { name: 'CPU', value: sum(({ cpuMs }) => cpuMs), unit: 'ms', budget: limits?.cpuMs },
    ...phases.map(([phase, { cpuMs }]) => ({ name: `  ${phase}`, value: cpuMs, unit: 'ms' })),
    { name: 'heap with garbage', value: used / mebibyte, unit: 'MiB', budget: limits?.memoryMiB },
    { name: 'heap kept', value: retained / mebibyte, unit: 'MiB' },
    { name: 'RPC calls', value: sum(({ rpc }) => rpc), unit: '' },
    { name: 'database round trips', value: sum(({ database }) => database), unit: '' },
    ...phases.map(([phase, { bytes }]) => ({ name: `  ${phase}, transferred`, value: bytes / 1024, unit: 'KiB' })),
  ]
}

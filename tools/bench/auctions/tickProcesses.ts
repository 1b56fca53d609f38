import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import type { Cost } from './meterFetch.ts'
import type { BenchMarket } from './startMarket.ts'
import type { Measurement } from './tickRunner.ts'

const mebibyte = 1024 * 1024

/** Limits of a tick: CPU time and heap, garbage included. */
export type TickBudget = { cpuMs: number; memoryMiB: number }

/** A process that ticks on a market, on `requestTick`. */
export const startTickProcess = (
  { databaseUrl, rpcUrl, solverUrl, solver }: BenchMarket,
  flags: readonly string[],
): ChildProcess =>
  fork(join(import.meta.dirname, 'tickProcess.ts'), [JSON.stringify({ databaseUrl, rpcUrl, solverUrl, solver })], {
    execArgv: ['--expose-gc', ...flags],
  })

/** @throws Error when the tick logs a failure, or when the process ends, for example for want of memory */
export const requestTick = async (ticks: ChildProcess): Promise<Measurement> => {
  ticks.send('tick')
  const [measurement] = (await Promise.race([
    once(ticks, 'message'),
    once(ticks, 'exit').then(([code]) => Promise.reject(new Error(`the tick process exited with code ${code}`))),
  ])) as [Measurement]
  if (measurement.failures.length > 0) throw new Error(measurement.failures.join('\n'))
  return measurement
}

export const computeCpuMs = ({ phases }: Measurement): number =>
  phases.reduce((total, [, { cpuMs }]) => total + cpuMs, 0)

/** Figures of a tick, with budgets for those in `limits`. */
export const toTickFigures = (measurement: Measurement, limits?: TickBudget): Figure[] => {
  const { phases, retained, used } = measurement
  const sum = (pick: (cost: Cost) => number) => phases.reduce((total, [, cost]) => total + pick(cost), 0)
  return [
    { name: 'CPU', value: computeCpuMs(measurement), unit: 'ms', budget: limits?.cpuMs },
    ...phases.map(([phase, { cpuMs }]) => ({ name: `  ${phase}`, value: cpuMs, unit: 'ms' })),
    { name: 'heap with garbage', value: used / mebibyte, unit: 'MiB', budget: limits?.memoryMiB },
    { name: 'heap kept', value: retained / mebibyte, unit: 'MiB' },
    { name: 'RPC calls', value: sum(({ rpc }) => rpc), unit: '' },
    { name: 'database round trips', value: sum(({ database }) => database), unit: '' },
    ...phases.map(([phase, { bytes }]) => ({ name: `  ${phase}, transferred`, value: bytes / 1024, unit: 'KiB' })),
  ]
}

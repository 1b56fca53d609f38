import { AsyncLocalStorage } from 'node:async_hooks'
import type { ScheduledEvent, Scheduler } from '../clock/createScheduler.ts'

/** A simulated isolate: what it awaits never returns once it has died. */
export type Process = {
  readonly name: string
  isAlive: boolean
  /** called once at its death */
  onDeath: Set<() => void>
}

const current = new AsyncLocalStorage<Process>()

/** Runs events within processes. */
export const createProcesses = (scheduler: Scheduler) => ({
  start: (name: string): Process => ({ name, isAlive: true, onDeath: new Set() }),
  current: (): Process | undefined => current.getStore(),
  run: <T>(process: Process, work: () => T): T => current.run(process, work),
  /** Runs `work` later within a process, unless that has died. */
  later: (process: Process | undefined, delay: number, work: () => unknown): ScheduledEvent =>
    scheduler.after(delay, () => {
      if (!process) return work()
      return process.isAlive ? current.run(process, work) : undefined
    }),
  /** Ends a process between two of its steps. */
  kill: (process: Process): void => {
    process.isAlive = false
    const listeners = [...process.onDeath]
    process.onDeath.clear()
    for (const listener of listeners) listener()
  },
})

export type Processes = ReturnType<typeof createProcesses>

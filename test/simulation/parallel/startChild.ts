import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cacheFolder } from '#tools/cache/cacheFolder.ts'
import type { RunTerms } from '../simulate.ts'
import type { SeedOutcome } from './runSeeds.ts'

/** A run of a seed in a child. */
export type ChildTask = RunTerms & {
  /** searches a shorter run after a failure */
  shrinks: boolean
  /** file of the whole log; empty: none */
  logFile: string
}

export type ChildMessage = { line: string } | { outcome: SeedOutcome }

/** Starts a process that runs simulations one at a time, because they replace its platform. */
export const startChild = () => {
  const child = fork(join(import.meta.dirname, 'child.ts'), {
    env: { ...process.env, NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') },
  })
  const death = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the process of the run ended with ${signal ?? `code ${code}`}`)
  })
  // between two runs nothing waits for it
  death.catch(() => undefined)
  return {
    /** @throws Error when the process ends before the run */
    run: async (task: ChildTask, tell: (line: string) => void): Promise<SeedOutcome> => {
      const { promise, resolve } = Promise.withResolvers<SeedOutcome>()
      const listen = (message: ChildMessage) => ('line' in message ? tell(message.line) : resolve(message.outcome))
      child.on('message', listen as (message: unknown) => void)
      child.send(task)
      try {
        return await Promise.race([promise, death])
      } finally {
        child.off('message', listen as (message: unknown) => void)
      }
    },
    end: (): void => void child.kill('SIGKILL'),
  }
}

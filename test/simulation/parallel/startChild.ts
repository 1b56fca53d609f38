import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cacheFolder } from '#tools/cache/cacheFolder.ts'
import type { RunTerms } from '../simulate.ts'
import type { SeedOutcome, SeedRunner } from './runSeeds.ts'

/** A run of a seed in a child. */
export type ChildTask = RunTerms & {
  /** searches a shorter run after a failure */
  shrinks: boolean
  /** file of the whole log; empty: none */
  logFile: string
}

export type ChildMessage = { line: string } | { outcome: SeedOutcome }

/** Starts a process that runs simulations, because they replace its platform. */
export const startChild = (terms: Omit<ChildTask, 'seed'>): SeedRunner => {
  const child = fork(join(import.meta.dirname, 'child.ts'), {
    env: { ...process.env, NODE_COMPILE_CACHE: join(cacheFolder, 'compiled') },
  })
  const death = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the process of the run ended with ${signal ?? `code ${code}`}`)
  })
  // between two runs nothing waits for it
  death.catch(() => undefined)
  return {
    run: async (seed, tell) => {
      const { promise, resolve } = Promise.withResolvers<SeedOutcome>()
      const listen = (message: ChildMessage) => ('line' in message ? tell(message.line) : resolve(message.outcome))
      child.on('message', listen as (message: unknown) => void)
      child.send({ ...terms, seed } satisfies ChildTask)
      try {
        return await Promise.race([promise, death])
      } finally {
        child.off('message', listen as (message: unknown) => void)
      }
    },
    end: () => void child.kill('SIGKILL'),
  }
}

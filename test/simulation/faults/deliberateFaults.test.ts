import { describe, expect, test } from 'vitest'
import { runSimulation } from '../runSimulation.ts'
import { deliberateFaults } from './deliberateFaults.ts'

/** The seed that finds each fault, of the seeds from 1, and the invariant that it breaks. */
const found: Record<string, { seed: number; blocks: number; invariant: string }> = {}

describe('a simulation finds a deliberate fault', () => {
  test.each(deliberateFaults.map(({ name }) => name))(
    '%s',
    async (name) => {
      const { seed = 0, blocks = 0, invariant = '' } = found[name] ?? {}
      const { code, output } = await runSimulation(['--seed', `${seed}`, '--blocks', `${blocks}`], name)
      expect(output).toContain(`\n${invariant}: `)
      expect(code).toBe(1)
    },
    120_000,
  )
})

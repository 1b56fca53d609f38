import { describe, expect, test } from 'vitest'
import { runSimulation } from '../runSimulation.ts'

/** The fault, the first seed from 1 that finds it, blocks up to there, and the invariant that it breaks. */
const found = [
  ['doubleFee', 1, 4, 'fees'],
  ['missingLock', 1, 10, 'steps'],
  ['scoreOffByOne', 1, 4, 'score'],
] as const

describe('a simulation finds a deliberate fault', () => {
  test.each(found)(
    '%s, with seed %i within %i blocks',
    async (name, seed, blocks, invariant) => {
      const { code, output } = await runSimulation(['--seed', `${seed}`, '--blocks', `${blocks}`], name)
      expect(output).toContain(`\n${invariant}: `)
      expect(code).toBe(1)
    },
    120_000,
  )
})

import { describe, expect, test } from 'vitest'
import { runSimulation } from '../runSimulation.ts'

/** The fault, the first seed from 1 that finds it, blocks up to there, and the invariant that it breaks. */
const found = [
  ['doubleFee', 1, 5, 'fees'],
  ['lostEvent', 5, 18, 'invalidations'],
  ['missingLock', 1, 10, 'steps'],
  ['nonceGap', 1, 4, 'nonces'],
  ['scoreOffByOne', 1, 5, 'score'],
  ['skippingCursor', 5, 6, 'subscribers'],
] as const

describe('a simulation finds a deliberate fault', () => {
  test.each(found)(
    '%s, with seed %i within %i blocks',
    async (name, seed, blocks, invariant) => {
      const { code, output } = await runSimulation(['--seed', `${seed}`, '--blocks', `${blocks}`], name)
      expect(output).toContain(`\n${invariant}: `)
      expect(code).toBe(1)
    },
    600_000,
  )
})

import { describe, expect, test } from 'vitest'
import { runSimulation } from './runSimulation.ts'

/** as many of these seeds as fit into the seconds of CPU; `SIMULATION_SEED=<n>` for others */
const seeds = '10000'
const seconds = process.env.SIMULATION_SECONDS ?? '3600'
const firstSeed = process.env.SIMULATION_SEED ?? '1'

describe('simulations of the market', () => {
  test('the same seed gives the same run', async () => {
    const args = ['--seed', '5', '--blocks', '16']
    const [first, second] = [await runSimulation(args), await runSimulation(args)]
    expect(first.output).toMatch(/^seed 5: 16 blocks, \d+ lines, sha256 [0-9a-f]{64}\n$/)
    expect(second.output).toBe(first.output)
  }, 600_000)

  test.skipIf(!process.env.LONG)(
    'seeds of 200 blocks break no invariant',
    async () => {
      const args = ['--seed', firstSeed, '--seeds', seeds, '--blocks', '200', '--budget', seconds]
      const { code, output } = await runSimulation(args)
      expect(code, output).toBe(0)
    },
    20 * 1_000 * Number(seconds),
  )
})

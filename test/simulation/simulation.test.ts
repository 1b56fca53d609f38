import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { runSimulation } from './runSimulation.ts'

/** part of every test run: a minute of CPU */
const shortRuns = { seeds: '30', blocks: '20' }
/** as many of these seeds as fit into the seconds of CPU; `SIMULATION_SEED=<n>` for others */
const seeds = '10000'
const seconds = process.env.SIMULATION_SECONDS ?? '3600'
const firstSeed = process.env.SIMULATION_SEED ?? '1'

describe('simulations of the market', () => {
  test('the same seed gives the same run, alone, after another one and beside it', async () => {
    const blocks = ['--blocks', '16']
    const alone = await runSimulation(['--seed', '6', ...blocks])
    const later = await runSimulation(['--seed', '5', '--seeds', '2', ...blocks])
    expect(alone.output).toMatch(/^seed 6: 16 blocks, \d+ lines, sha256 [0-9a-f]{64}\n$/)
    expect(later.output).toMatch(/^seed 5: 16 blocks, /)
    expect(later.output.split('\n')[1]).toBe(alone.output.trim())
    const beside = await runSimulation(['--seed', '5', '--seeds', '2', '--jobs', '2', ...blocks])
    expect(beside.output).toBe(later.output)
  }, 600_000)

  test.skipIf(process.env.LONG)(
    `${shortRuns.seeds} seeds of ${shortRuns.blocks} blocks break no invariant`,
    async () => {
      const jobs = ['--jobs', `${availableParallelism()}`]
      const { seeds: count, blocks } = shortRuns
      const args = ['--seed', firstSeed, '--seeds', count, '--blocks', blocks, ...jobs]
      const { code, output } = await runSimulation(args)
      expect(code, output).toBe(0)
    },
    900_000,
  )

  test.skipIf(!process.env.LONG)(
    'seeds of 200 blocks break no invariant',
    async () => {
      const jobs = ['--jobs', `${availableParallelism()}`]
      const args = ['--seed', firstSeed, '--seeds', seeds, '--blocks', '200', '--budget', seconds, ...jobs]
      const { code, output } = await runSimulation(args)
      expect(code, output).toBe(0)
    },
    20 * 1_000 * Number(seconds),
  )
})

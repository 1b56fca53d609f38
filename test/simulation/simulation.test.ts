import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { runSimulation } from './runSimulation.ts'

/** part of every test run: a minute of CPU */
const shortRuns = { count: 30, blocks: 20 }
/** as many of these seeds as fit into the seconds of CPU; `SIMULATION_SEED=<n>` for others */
const seeds = '10000'
const seconds = process.env.SIMULATION_SECONDS ?? '3600'
const firstSeed = Number(process.env.SIMULATION_SEED ?? '1')
/** more than one process, also on one processor */
const jobs = ['--jobs', `${Math.max(2, availableParallelism())}`]

const runSeedsOf = (first: number, count: number, ...options: string[]) =>
  runSimulation(['--seed', `${first}`, '--seeds', `${count}`, '--blocks', `${shortRuns.blocks}`, ...options])

describe('simulations of the market', () => {
  test(`${shortRuns.count} seeds of ${shortRuns.blocks} blocks break no invariant, and the last two give the same runs alone`, async () => {
    const { count } = shortRuns
    const { code, output } = await runSeedsOf(firstSeed, count, ...jobs)
    expect(code, output).toBe(0)
    // here they ran after others of their process, and beside another process
    const last = firstSeed + count - 2
    const together = output
      .split('\n')
      .filter((line) => line.startsWith(`seed ${last}:`) || line.startsWith(`seed ${last + 1}:`))
    expect(together).toHaveLength(2)
    for (const line of together) expect(line).toMatch(/^seed \d+: \d+ blocks, \d+ lines, sha256 [0-9a-f]{64}$/)
    const alone = await runSeedsOf(last, 2)
    expect(alone.output.trim()).toBe(together.join('\n'))
  }, 900_000)

  test.skipIf(!process.env.LONG)(
    'seeds of 200 blocks break no invariant',
    async () => {
      const args = ['--seed', `${firstSeed}`, '--seeds', seeds, '--blocks', '200', '--budget', seconds, ...jobs]
      const { code, output } = await runSimulation(args)
      expect(code, output).toBe(0)
    },
    20 * 1_000 * Number(seconds),
  )
})

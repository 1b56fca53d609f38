import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { runSimulation } from '../../simulation/runSimulation.ts'

/** a minute of CPU; `npm test` runs the first ones of them */
const shortRuns = { count: 30, blocks: 20 }
/** as many of these seeds as fit into the seconds of CPU; `SIMULATION_SEED=<n>` for others */
const seeds = '10000'
const seconds = process.env.SIMULATION_SECONDS ?? '600'
const firstSeed = Number(process.env.SIMULATION_SEED ?? '1')
/** more than one process, also on one processor */
const jobs = ['--jobs', `${Math.max(2, availableParallelism())}`]

/** one order in each block of a still market but the first ones; in bad weather one in two, because orders live longer */
const theoremRuns = process.env.LONG
  ? [
      { actors: 'theorist', market: 'a still market', seeds: 50, blocks: 206, cases: '10,000' },
      { actors: 'theorist,weather', market: 'bad weather', seeds: 25, blocks: 206, cases: '2,500' },
    ]
  : [
      { actors: 'theorist', market: 'a still market', seeds: 2, blocks: 156, cases: '300' },
      { actors: 'theorist,weather', market: 'bad weather', seeds: 2, blocks: 156, cases: '150' },
    ]

/** actors that take part only when they are named, beside honest traders */
const strangers = ['dust trader', 'pool maker', 'forgetful node', 'clashing trader', 'ending trader', 'pool mover']

/** seeds before the two that run again: with an unsorted dispatch, the next one differs by its plans */
const before = 9
const otherPlans = { SIMULATION_PLANS: 'other' }

/** Lines of the seeds without a failure, one for each. */
const listDigests = (output: string): string[] =>
  output.split('\n').filter((line) => /^seed \d+: \d+ blocks, \d+ lines, sha256 [0-9a-f]{64}$/.test(line))

describe('simulations of the market', () => {
  test(`${shortRuns.count} seeds of ${shortRuns.blocks} blocks break no invariant, and two give the same runs alone with other plans`, async () => {
    const { count, blocks } = shortRuns
    const args = ['--blocks', `${blocks}`, '--seed']
    const { code, output } = await runSimulation([...args, `${firstSeed}`, '--seeds', `${count}`, ...jobs])
    expect(code, output).toBe(0)
    // here they ran after others of their process, and beside another process
    const together = listDigests(output).slice(before, before + 2)
    expect(together).toHaveLength(2)
    const alone = await runSimulation([...args, `${firstSeed + before}`, '--seeds', '2'], otherPlans)
    expect(listDigests(alone.output)).toEqual(together)
    // a hang: twenty times as long as on a quiet machine
  }, 2_700_000)

  test.each(theoremRuns)(
    'fillable orders are filled within five calm blocks and no others, in $cases random cases of $market',
    {
      timeout: 2_700_000,
    },
    async ({ actors, seeds, blocks }) => {
      const range = ['--blocks', `${blocks}`, '--seed', `${firstSeed}`, '--seeds', `${seeds}`]
      const { code, output } = await runSimulation(['--only', actors, ...range, ...jobs])
      expect(code, output).toBe(0)
    },
  )

  test.each(strangers)(
    '%s breaks no invariant',
    async (stranger) => {
      const only = ['trader 0', 'trader 1', 'trader 2', stranger].join()
      const args = ['--only', only, '--blocks', '40', '--seed', `${firstSeed}`, '--seeds', '4', ...jobs]
      const { code, output } = await runSimulation(args)
      expect(code, output).toBe(0)
    },
    2_700_000,
  )

  test.skipIf(!process.env.LONG)(
    'no run of 200 blocks depends on how the database plans its statements',
    async () => {
      const args = ['--seed', '3', '--seeds', '4', '--blocks', '200']
      const [usual, other] = await Promise.all([runSimulation(args), runSimulation(args, otherPlans)])
      expect(usual.code, usual.output).toBe(0)
      expect(listDigests(usual.output)).toHaveLength(4)
      expect(listDigests(other.output)).toEqual(listDigests(usual.output))
    },
    1_200_000,
  )

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

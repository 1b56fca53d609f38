import { expect, test } from 'vitest'
import { findStartupTimes } from '#tools/bench/workers/findStartupTimes.ts'

/**
 * Start-up of a Worker as a multiple of the empty workerd around it: independent of the machine, 1.5 times the largest
 * Worker of today. `npm run bench -- workers` has the budget in milliseconds.
 */
const allowedRatio = 8

test.runIf(process.platform === 'linux')(
  'every Worker starts up within the bound',
  async () => {
    // slow means slow in every turn: a busy machine slows the first few down
    const over = (await findSlow(1)).length > 0 ? await findSlow(9) : []
    expect(over).toEqual([])
  },
  600_000,
)

const findSlow = async (turns: number) => {
  const times = await findStartupTimes(turns)
  expect(Object.keys(times)).toContain('gateway')
  return Object.entries(times).filter(([, { ownMs, workerdMs }]) => ownMs > allowedRatio * workerdMs)
}

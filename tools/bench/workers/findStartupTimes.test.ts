import { expect, test } from 'vitest'
import { findStartupTimes } from './findStartupTimes.ts'

/**
 * How many times as long as the empty workerd around it a Worker may take: a measure that every machine has for itself, half as much
 * again as the largest Worker takes today. The budget in milliseconds is that of `npm run bench -- workers`.
 */
const allowedRatio = 8

test.runIf(process.platform === 'linux')(
  'no Worker starts much slower than today',
  async () => {
    // only a Worker that is slow in every turn is slow: a busy machine has the first few
    const over = (await findSlow(3)).length > 0 ? await findSlow(9) : []
    expect(over).toEqual([])
  },
  600_000,
)

const findSlow = async (turns: number) => {
  const times = await findStartupTimes(turns)
  expect(Object.keys(times)).toContain('gateway')
  return Object.entries(times).filter(([, { ownMs, workerdMs }]) => ownMs > allowedRatio * workerdMs)
}

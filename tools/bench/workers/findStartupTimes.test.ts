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
    const times = await findStartupTimes(3)
    expect(Object.keys(times)).toContain('gateway')
    const over = Object.entries(times).filter(([, { ownMs, workerdMs }]) => ownMs > allowedRatio * workerdMs)
    expect(over).toEqual([])
  },
  180_000,
)

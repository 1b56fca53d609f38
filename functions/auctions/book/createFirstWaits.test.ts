import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFirstWaits, maxWaitMs } from './createFirstWaits.ts'

test('the cuts of a minute wait a bounded time together, and those of the next minute again', async () => {
  let clock = 0
  const { waitFor } = createFirstWaits(() => clock)
  const pass = async (milliseconds: number) => {
    await setTimeout(1)
    clock += milliseconds
  }
  for (let i = 0; i < 4; i++) await waitFor(pass(maxWaitMs / 4), maxWaitMs)
  expect(clock).toBe(maxWaitMs)
  await waitFor(new Promise(() => undefined), 600_000)
  clock += 60_000
  await waitFor(pass(1), 600_000)
  expect(clock).toBe(maxWaitMs + 60_001)
})

import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { settlesAfter, settlesBefore } from './settles.ts'

/** Keeps the process busy, as a machine that runs something else does. */
const holdUp = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('work is compared with a timer, and its result or failure passed on', async () => {
  expect(await settlesBefore(200, sleep(20, 'early'))).toBe('early')
  expect(await settlesAfter(20, sleep(40, 'late'))).toBe('late')
  await expect(settlesBefore(20, sleep(200))).rejects.toThrow('20 ms were over')
  await expect(settlesAfter(200, sleep(20))).rejects.toThrow('200 ms were over')
  await expect(settlesBefore(200, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

test('a process that is held up makes both late', async () => {
  const work = settlesBefore(60, sleep(30, 'in time'))
  holdUp(150)
  expect(await work).toBe('in time')
})

test('a process that is held up has some turns to catch up after the timer', async () => {
  const inTurns = async () => {
    await setImmediate()
    await setImmediate()
    return 'in time'
  }
  const work = settlesBefore(20, inTurns())
  holdUp(60)
  expect(await work).toBe('in time')
})

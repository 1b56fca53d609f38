import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { armAlarm } from './armAlarm.ts'

const now = 1_800_000_000_000

test.each([
  ['one was set before the system time moved back', now + 86_400_000, now + 5],
  ['one is due at this moment', now - 10, now - 10],
  ['one is scheduled', now + 30_000, now + 30_000],
])('when %s', async (_, scheduled, expected) => {
  let alarm: number = scheduled
  const setAlarm = async (at: number) => {
    alarm = at
  }
  const alarms = { getAlarm: async () => alarm, setAlarm }
  await armAlarm(alarms, now, 60_000, now + 5)
  expect(alarm).toBe(expected)
})

test('whether the alarm of an object is set is decided in one place', async () => {
  const deciding: string[] = []
  for await (const file of glob('{functions,shared}/**/*.ts'))
    if (/\bgetAlarm\b/.test(await readFile(file, 'utf8'))) deciding.push(file)
  expect(deciding.sort()).toEqual(['shared/armAlarm.test.ts', 'shared/armAlarm.ts'])
})

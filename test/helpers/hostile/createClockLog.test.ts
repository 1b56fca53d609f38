import { expect, test } from 'vitest'
import { createClockLog } from './createClockLog.ts'

const failed = (step: string) => `[workers] ${JSON.stringify({ message: 'step failed', step, cause: 'node' })}`
const settled = '[workers] {"message":"settlement","solutionId":5,"mined":true}'
const ticked = '[workers] {"message":"tick","network":"base","blocks":0,"head":null,"caughtUp":false}'

const replay = (lines: readonly string[]) => {
  const log = createClockLog()
  for (const line of lines) log.add(line)
  return log
}

test('two failures of one step without a success are one long failure', () => {
  const { steps, countTicks } = replay([ticked, failed('settle'), ticked, ticked, ticked, failed('settle'), ticked])
  expect(steps.settle).toMatchObject({ failures: 2, longestFailure: 3, lastCause: 'node' })
  expect(countTicks()).toBe(5)
})

test('a settlement ends the failure of the step that settles and of no other step', () => {
  const { steps } = replay([
    failed('settle'),
    failed('index'),
    ticked,
    settled,
    ticked,
    failed('settle'),
    failed('index'),
  ])
  expect(steps.settle?.longestFailure).toBe(0)
  expect(steps.index?.longestFailure).toBe(2)
})

import { expect, test } from 'vitest'
import { createClockLog } from './createClockLog.ts'

const failed = (step: string) => `[workers] ${JSON.stringify({ message: 'step failed', step, cause: 'node' })}`
const settled = '[workers] {"message":"settlement","solutionId":5,"mined":true}'

const replay = (lines: readonly [atMs: number, line: string][]) => {
  let now = 0
  const log = createClockLog(() => now)
  for (const [atMs, line] of lines) {
    now = atMs
    log.add(line)
  }
  return log.steps
}

test('two failures of one step without a success are one long failure', () => {
  const { settle } = replay([
    [1_000, failed('settle')],
    [5_000, failed('settle')],
  ])
  expect(settle).toMatchObject({ failures: 2, longestFailureMs: 4_000, lastCause: 'node' })
})

test('a settlement ends the failure of the step that settles and of no other step', () => {
  const steps = replay([
    [1_000, failed('settle')],
    [1_000, failed('index')],
    [2_000, settled],
    [9_000, failed('settle')],
    [9_000, failed('index')],
  ])
  expect(steps.settle?.longestFailureMs).toBe(0)
  expect(steps.index?.longestFailureMs).toBe(8_000)
})

import { expect, test } from 'vitest'
import { type Circuit, closedCircuit, recordOutcome } from './circuitBreaker.ts'

const fail = (times: number, from: Circuit = closedCircuit): Circuit =>
  Array.from({ length: times }).reduce((circuit: Circuit) => recordOutcome(circuit, false, 1_000), from)

test('pauses after five failures in a row, for twice as long after each further one, at most a minute', () => {
  const pauses = [1, 4, 5, 6, 7, 8, 9, 100].map((times) => Math.max(0, fail(times).pausedUntil - 1_000))
  expect(pauses).toEqual([0, 0, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
})

test('counts from zero after a response', () => {
  expect(recordOutcome(fail(9), true, 1_000)).toEqual(closedCircuit)
  expect(fail(4, recordOutcome(fail(9), true, 1_000)).pausedUntil).toBe(0)
})

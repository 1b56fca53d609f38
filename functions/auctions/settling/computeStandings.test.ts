import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { type ActiveSuspension, computeStandings } from './computeStandings.ts'

const [a, b, c] = (['0a', '0b', '0c'] as const).map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
]
const standingsOf = (suspensions: [Address, ActiveSuspension][], solvers = [a, b, c]) =>
  Object.values(Object.fromEntries(computeStandings(solvers, new Map(suspensions))))

test('a solver without a suspension participates, one with time-outs or short payments is out, one with reverts yields', () => {
  expect(standingsOf([])).toEqual(['full', 'full', 'full'])
  const until = 5
  expect(
    standingsOf([
      [a, { reason: 'timeout', until }],
      [b, { reason: 'mismatch', until }],
    ]),
  ).toEqual(['out', 'out', 'full'])
  expect(
    standingsOf([
      [a, { reason: 'timeout', until }],
      [b, { reason: 'reverted', until }],
    ]),
  ).toEqual(['out', 'yields', 'full'])
})

test('a solver with its maximum number of unsettled wins yields', () => {
  expect([...computeStandings([a, b], new Map(), new Set([b])).values()]).toEqual(['full', 'yields'])
})

test('solvers that yield come before any that is out', () => {
  const until = 5
  const out = { reason: 'timeout', until } as const
  expect(
    standingsOf([
      [a, out],
      [b, { reason: 'reverted', until }],
      [c, out],
    ]),
  ).toEqual(['out', 'yields', 'out'])
})

test('when all are out, the one whose suspension ends first returns', () => {
  const out = (until: number) => ({ reason: 'timeout', until }) as const
  expect(
    standingsOf([
      [a, out(9)],
      [b, out(3)],
      [c, out(5)],
    ]),
  ).toEqual(['out', 'returned', 'out'])
  expect(standingsOf([[a, out(9)]], [a])).toEqual(['returned'])
  expect(standingsOf([], [])).toEqual([])
})

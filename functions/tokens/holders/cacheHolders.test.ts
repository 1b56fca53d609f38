import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { TopHolders } from './findTopHolders.ts'
import { keepHolders } from './keepHolders.ts'

const listed = (source: string): TopHolders => ({
  status: 'holders',
  holders: [{ address: zeroAddress, balance: 1n }],
  source,
})
const unknown: TopHolders = { status: 'unknown' }
const outage: TopHolders = { status: 'unavailable', sources: {} }

const setUp = (...answers: TopHolders[]) => {
  let now = 1_000_000
  let lookups = 0
  const ask = keepHolders(
    async () => answers[Math.min(lookups++, answers.length - 1)] ?? unknown,
    () => now,
  )
  return { ask, wait: (seconds: number) => (now += seconds * 1_000), countLookups: () => lookups }
}

test.each<[string, TopHolders, number]>([
  ['a list of a provider is cached for five minutes', listed('moralis'), 300],
  ['a list of the own index is cached for five seconds', listed('own'), 5],
  ['an unknown token is cached for a quarter of a minute', unknown, 15],
])('%s', async (_, answer, seconds) => {
  const { ask, wait, countLookups } = setUp(answer)
  await Promise.all([ask(), ask(), ask()])
  wait(seconds - 1)
  await ask()
  expect(countLookups()).toBe(1)
  wait(2)
  await ask()
  expect(countLookups()).toBe(2)
})

test('during an outage the last list is used for an hour, and the sources are queried again after a second', async () => {
  const { ask, wait, countLookups } = setUp(listed('own'), outage)
  await ask()
  wait(3_600)
  expect(await ask()).toEqual(listed('own'))
  expect(await ask()).toEqual(listed('own'))
  expect(countLookups()).toBe(2)
  wait(1)
  expect(await ask()).toEqual(listed('own'))
  expect(countLookups()).toBe(3)
  wait(10)
  expect(await ask()).toEqual(outage)
})

test('an outage is never reported as a token without holders, nor the other way round', async () => {
  const { ask, wait } = setUp(unknown, outage, listed('own'), unknown)
  expect(await ask()).toEqual(unknown)
  wait(20)
  expect(await ask()).toEqual(outage)
  wait(1)
  expect(await ask()).toEqual(listed('own'))
  wait(10)
  expect(await ask()).toEqual(unknown)
})

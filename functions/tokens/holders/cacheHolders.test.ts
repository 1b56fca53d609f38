import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { cacheHolders } from './cacheHolders.ts'
import type { TopHolders } from './findTopHolders.ts'

const listed = (source: string): TopHolders => ({
  status: 'holders',
  holders: [{ address: zeroAddress, balance: 1n }],
  source,
})
const unknown: TopHolders = { status: 'unknown' }
const outage: TopHolders = { status: 'unavailable', sources: {} }

const setUp = (...outcomes: TopHolders[]) => {
  let now = 1_000_000
  let lookups = 0
  const find = cacheHolders(
    async () => outcomes[Math.min(lookups++, outcomes.length - 1)] ?? unknown,
    () => now,
  )
  return { find, wait: (seconds: number) => (now += seconds * 1_000), countLookups: () => lookups }
}

test.each<[string, TopHolders, number]>([
  ['a list of a provider is cached for five minutes', listed('moralis'), 300],
  ['a list of the own index is cached for five seconds', listed('own'), 5],
  ['an unknown token is cached for a quarter of a minute', unknown, 15],
])('%s', async (_, outcome, seconds) => {
  const { find, wait, countLookups } = setUp(outcome)
  await Promise.all([find(), find(), find()])
  wait(seconds - 1)
  await find()
  expect(countLookups()).toBe(1)
  wait(2)
  await find()
  expect(countLookups()).toBe(2)
})

test('during an outage the last list is used for an hour, and the sources are queried again after a second', async () => {
  const { find, wait, countLookups } = setUp(listed('own'), outage)
  await find()
  wait(3_600)
  expect(await find()).toEqual(listed('own'))
  expect(await find()).toEqual(listed('own'))
  expect(countLookups()).toBe(2)
  wait(1)
  expect(await find()).toEqual(listed('own'))
  expect(countLookups()).toBe(3)
  wait(10)
  expect(await find()).toEqual(outage)
})

test('an outage is never reported as a token without holders, nor the other way round', async () => {
  const { find, wait } = setUp(unknown, outage, listed('own'), unknown)
  expect(await find()).toEqual(unknown)
  wait(20)
  expect(await find()).toEqual(outage)
  wait(1)
  expect(await find()).toEqual(listed('own'))
  wait(10)
  expect(await find()).toEqual(unknown)
})

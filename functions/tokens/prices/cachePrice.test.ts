import { expect, test } from 'vitest'
import { cachePrice } from './cachePrice.ts'
import type { UsdPrice } from './findUsdPrice.ts'

const price: UsdPrice = { status: 'price', price: 2, source: 'own' }
const unknown: UsdPrice = { status: 'unknown' }
const outage: UsdPrice = { status: 'unavailable', sources: {} }

const setUp = (...outcomes: UsdPrice[]) => {
  let now = 1_000_000
  let lookups = 0
  const find = cachePrice(
    async () => {
      const outcome = outcomes[Math.min(lookups, outcomes.length - 1)]
      lookups += 1
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (!outcome) throw new Error('broken')
      return outcome
    },
    () => now,
  )
  return { find, wait: (seconds: number) => (now += seconds * 1_000), countLookups: () => lookups }
}

test('a burst of requests shares one lookup', async () => {
  const { find, countLookups } = setUp(price)
  expect(await Promise.all(Array.from({ length: 50 }, find))).toEqual(Array(50).fill(price))
  expect(countLookups()).toBe(1)
})

test.each<[string, UsdPrice, number, number]>([
  ['a price is cached for a minute', price, 59.999, 60],
  ['an unknown token is cached for a quarter of it', unknown, 14.999, 15],
])('%s', async (_, outcome, within, after) => {
  const { find, wait, countLookups } = setUp(outcome)
  await find()
  wait(within)
  await find()
  expect(countLookups()).toBe(1)
  wait(after - within)
  await find()
  expect(countLookups()).toBe(2)
})

test('an outage is retried after a second, and the last price is used for ten minutes meanwhile', async () => {
  const { find, wait, countLookups } = setUp(price, outage)
  await find()
  wait(100)
  expect(await find()).toEqual(price)
  expect(await find()).toEqual(price)
  expect(countLookups()).toBe(2)
  wait(1)
  expect(await find()).toEqual(price)
  expect(countLookups()).toBe(3)
  wait(600)
  expect(await find()).toEqual(outage)
  expect(await find()).toEqual(outage)
  expect(countLookups()).toBe(4)
})

test('an outage is never reported as an unknown token, nor an unknown token as one with a price', async () => {
  const { find, wait } = setUp(unknown, outage, price, unknown)
  expect(await find()).toEqual(unknown)
  wait(20)
  expect(await find()).toEqual(outage)
  wait(1)
  expect(await find()).toEqual(price)
  wait(70)
  expect(await find()).toEqual(unknown)
})

test('a lookup that throws does not block later ones', async () => {
  const { find } = setUp(undefined as never, price)
  await expect(find()).rejects.toThrow('broken')
  expect(await find()).toEqual(price)
})

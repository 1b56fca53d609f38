import { expect, test } from 'vitest'
import type { UsdPrice } from './findUsdPrice.ts'
import { keepPrice } from './keepPrice.ts'

const price: UsdPrice = { status: 'price', price: 2, source: 'own' }
const unknown: UsdPrice = { status: 'unknown' }
const outage: UsdPrice = { status: 'unavailable', sources: {} }

const setUp = (...answers: UsdPrice[]) => {
  let now = 1_000_000
  let lookups = 0
  const ask = keepPrice(
    async () => {
      const answer = answers[Math.min(lookups, answers.length - 1)]
      lookups += 1
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (!answer) throw new Error('broken')
      return answer
    },
    () => now,
  )
  return { ask, wait: (seconds: number) => (now += seconds * 1_000), countLookups: () => lookups }
}

test('a burst of requests shares one lookup', async () => {
  const { ask, countLookups } = setUp(price)
  expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(price))
  expect(countLookups()).toBe(1)
})

test.each<[string, UsdPrice, number, number]>([
  ['a price is cached for a minute', price, 59.999, 60],
  ['an unknown token is cached for a quarter of it', unknown, 14.999, 15],
])('%s', async (_, answer, within, after) => {
  const { ask, wait, countLookups } = setUp(answer)
  await ask()
  wait(within)
  await ask()
  expect(countLookups()).toBe(1)
  wait(after - within)
  await ask()
  expect(countLookups()).toBe(2)
})

test('an outage is retried after a second, and the last price is used for ten minutes meanwhile', async () => {
  const { ask, wait, countLookups } = setUp(price, outage)
  await ask()
  wait(100)
  expect(await ask()).toEqual(price)
  expect(await ask()).toEqual(price)
  expect(countLookups()).toBe(2)
  wait(1)
  expect(await ask()).toEqual(price)
  expect(countLookups()).toBe(3)
  wait(600)
  expect(await ask()).toEqual(outage)
  expect(await ask()).toEqual(outage)
  expect(countLookups()).toBe(4)
})

test('an outage is never reported as an unknown token, nor an unknown token as one with a price', async () => {
  const { ask, wait } = setUp(unknown, outage, price, unknown)
  expect(await ask()).toEqual(unknown)
  wait(20)
  expect(await ask()).toEqual(outage)
  wait(1)
  expect(await ask()).toEqual(price)
  wait(70)
  expect(await ask()).toEqual(unknown)
})

test('a lookup that throws does not block later ones', async () => {
  const { ask } = setUp(undefined as never, price)
  await expect(ask()).rejects.toThrow('broken')
  expect(await ask()).toEqual(price)
})

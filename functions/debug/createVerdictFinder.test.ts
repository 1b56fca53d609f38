import { expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { createVerdictFinder } from './createVerdictFinder.ts'

test('caches a verdict for ten seconds, but not after a change of the order', async () => {
  let calls = 0
  let now = 0
  const find = createVerdictFinder(
    () => now,
    async () => {
      calls += 1
      return []
    },
  )
  await find(filledOrder)
  now = 9_999
  await find(filledOrder)
  expect(calls).toBe(1)
  await find({ ...filledOrder, version: filledOrder.version + 1 })
  expect(calls).toBe(2)
  now = 20_000
  await find({ ...filledOrder, version: filledOrder.version + 1 })
  expect(calls).toBe(3)
})

test('a report does not wait for a failing or slow verdict', async () => {
  const failing = createVerdictFinder(Date.now, () => Promise.reject(new Error('away')))
  expect(await failing(filledOrder)).toBeUndefined()
  const silent = createVerdictFinder(Date.now, () => new Promise(() => undefined))
  expect(await silent(filledOrder)).toBeUndefined()
})

test('finds at most eight verdicts concurrently, so that reports leave the quotes to traders', async () => {
  let calls = 0
  const { promise, resolve } = Promise.withResolvers<[]>()
  const find = createVerdictFinder(Date.now, () => {
    calls += 1
    return promise
  })
  const uids = Array.from({ length: 20 }, (_, i) => `0x${String(i).padStart(112, '0')}` as const)
  const found = Promise.all(uids.map((uid) => find({ uid, version: 1 })))
  resolve([])
  expect((await found).filter((findings) => findings !== undefined)).toHaveLength(8)
  expect(calls).toBe(8)
  expect(await find({ ...filledOrder })).toEqual([])
})

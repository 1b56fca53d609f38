import { expect, test } from 'vitest'
import { createSharing } from './createSharing.ts'

/** A clock that passes while requests sleep, and work that ends on demand. */
const start = () => {
  let time = 0
  let runs = 0
  const share = createSharing<string>({
    now: () => time,
    sleep: async (ms) => {
      time += ms
      await Promise.resolve()
    },
  })
  const open = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const work = () => {
      runs += 1
      return promise
    }
    return { work, resolve, reject }
  }
  return { share, open, countRuns: () => runs }
}

test('requests with the same key at the same time have one outcome of one work', async () => {
  const { share, open, countRuns } = start()
  const { work, resolve } = open()
  const shared = [share('a', 1_000, work), share('a', 1_000, work), share('a', 1_000, work)]
  const other = share('b', 1_000, async () => 'other')
  resolve('done')
  expect(await Promise.all(shared)).toEqual(['done', 'done', 'done'])
  expect(await other).toBe('other')
  expect(countRuns()).toBe(1)
})

test('a failure is shared, and the next request begins anew', async () => {
  const { share, open, countRuns } = start()
  const { work, reject } = open()
  const shared = [share('a', 1_000, work), share('a', 1_000, work)]
  reject(new Error('no route'))
  for (const each of shared) await expect(each).rejects.toThrow('no route')
  expect(countRuns()).toBe(1)
  expect(await share('a', 1_000, async () => 'later')).toBe('later')
})

test('work of a request that the runtime cancelled is done by those that waited for it', async () => {
  const { share, open } = start()
  const { work } = open()
  void share('a', 100, work)
  expect(await share('a', 100, async () => 'own')).toBe('own')
  expect(await share('a', 100, async () => 'anew')).toBe('anew')
})

test('more requests than may wait do the work themselves', async () => {
  const { share, open, countRuns } = start()
  const { work, resolve } = open()
  const shared = Array.from({ length: 260 }, () => share('a', 100_000, work))
  expect(countRuns()).toBe(4)
  resolve('done')
  expect(new Set(await Promise.all(shared))).toEqual(new Set(['done']))
})

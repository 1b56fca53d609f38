import { expect, test } from 'vitest'
import { createSharing } from './createSharing.ts'

/** A clock that passes while requests sleep, and work that ends on demand. */
const start = () => {
  let time = 0
  const share = createSharing<string>({
    now: () => time,
    sleep: async (ms) => {
      time += ms
      await Promise.resolve()
    },
  })
  const open = () => {
    let runs = 0
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const work = () => {
      runs += 1
      return promise
    }
    return { work, resolve, reject, countRuns: () => runs }
  }
  const pass = (ms: number) => {
    time += ms
  }
  return { share, open, pass }
}

test('requests with the same key at the same time have one outcome of one work', async () => {
  const { share, open } = start()
  const { work, resolve, countRuns } = open()
  const shared = [share('a', 1_000, work), share('a', 1_000, work), share('a', 1_000, work)]
  const other = share('b', 1_000, async () => 'other')
  resolve('done')
  expect(await Promise.all(shared)).toEqual(['done', 'done', 'done'])
  expect(await other).toBe('other')
  expect(countRuns()).toBe(1)
})

test('a failure is shared by requests of the same time, and the next request begins anew', async () => {
  const { share, open } = start()
  const { work, reject, countRuns } = open()
  const shared = [share('a', 1_000, work), share('a', 1_000, work)]
  reject(new Error('no route'))
  for (const each of shared) await expect(each).rejects.toThrow('no route')
  expect(countRuns()).toBe(1)
  expect(await share('a', 1_000, async () => 'later')).toBe('later')
})

test('requests that join work which began before them have one more try together when it fails', async () => {
  const { share, open, pass } = start()
  const [first, second] = [open(), open()]
  const leading = share('a', 1_000, first.work)
  pass(100)
  const late = [share('a', 1_000, second.work), share('a', 1_000, second.work)]
  first.reject(new Error('deadline'))
  await expect(leading).rejects.toThrow('deadline')
  second.reject(new Error('no route'))
  for (const each of late) await expect(each).rejects.toThrow('no route')
  expect([first.countRuns(), second.countRuns()]).toEqual([1, 1])
})

test('a request joins no work with less than half of its own time', async () => {
  const { share, open, pass } = start()
  const { work, resolve } = open()
  const leading = share('a', 1_000, work)
  pass(400)
  const joined = share('a', 1_000, async () => 'own')
  const patient = share('a', 2_000, async () => 'anew')
  expect(await patient).toBe('anew')
  resolve('done')
  expect(await Promise.all([leading, joined])).toEqual(['done', 'done'])
})

test('work of a request that the runtime cancelled is done by those that waited for it', async () => {
  const { share, open } = start()
  const { work } = open()
  void share('a', 100, work)
  expect(await share('a', 100, async () => 'own')).toBe('own')
  expect(await share('a', 100, async () => 'anew')).toBe('anew')
})

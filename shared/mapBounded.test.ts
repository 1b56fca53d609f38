import { expect, it } from 'vitest'
import { mapBounded } from './mapBounded.ts'

it('preserves the order of the items and respects the limit', async () => {
  let running = 0
  let most = 0
  const results = await mapBounded([30, 1, 20, 2, 10], 2, async (milliseconds) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    running -= 1
    return milliseconds * 2
  })
  expect(results).toEqual([60, 2, 40, 4, 20])
  expect(most).toBe(2)
})

it('fails with the first failure and starts nothing after it', async () => {
  const started: number[] = []
  const work = async (item: number) => {
    started.push(item)
    if (item === 1) throw new Error('one')
    return item
  }
  await expect(mapBounded([1, 2, 3], 1, work)).rejects.toThrow('one')
  expect(started).toEqual([1])
})

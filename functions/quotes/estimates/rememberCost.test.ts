import { expect, test } from 'vitest'
import { rememberCost } from './rememberCost.ts'

test('a cost is read once a second, and again after a failure', async () => {
  let now = 0
  const found: (bigint | Error)[] = [7n, 8n, new Error('late'), 9n]
  const find = rememberCost(
    async () => {
      const next = found.shift()
      if (typeof next !== 'bigint') throw next
      return next
    },
    () => now,
  )
  expect([await find(1), await find(1)]).toEqual([7n, 7n])
  now = 1_000
  expect(await find(1)).toBe(8n)
  now = 2_000
  await expect(find(1)).rejects.toThrow('late')
  expect(await find(1)).toBe(9n)
})

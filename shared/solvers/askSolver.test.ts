import { expect, test } from 'vitest'
import { askSolver } from './askSolver.ts'
import { solveResponseSchema } from './driverApi.ts'

const solve = (text: string) =>
  askSolver(
    {
      name: 'fake',
      address: `0x${'5a'.repeat(20)}`,
      baseUrl: 'http://solver',
      timeoutMs: undefined,
      fetch: async () => new Response(text),
    },
    { method: 'POST', path: '/solve', body: {}, timeoutMs: 5_000 },
    solveResponseSchema,
  )
const answer = (bytes: number) => `{"solutions":[],"padding":[${'{},'.repeat(bytes / 3)}{}]}`

test('takes an answer of a mebibyte', async () => {
  expect(await solve(answer(2 ** 20))).toEqual({ solutions: [] })
})

test('does not parse one that would fill the memory of a Worker', async () => {
  await expect(solve(answer(3 * 2 ** 20))).rejects.toThrow('longer than 2097152 bytes')
})

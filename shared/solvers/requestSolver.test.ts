import { expect, test } from 'vitest'
import { startSolver } from '#test/helpers/solvers/startSolver.ts'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { solveResponseSchema } from './driverApi.ts'
import { requestSolver } from './requestSolver.ts'

const solve = (text: string) =>
  requestSolver(
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

test.each<[what: string, call: { body?: unknown; json?: string }, sent: string, type: string | null]>([
  ['a body as JSON', { body: { id: 1 } }, '{"id":1}', 'application/json'],
  ['JSON as it is', { json: '{"id": 1}' }, '{"id": 1}', 'application/json'],
  ['nothing without either', {}, '', null],
])('sends %s', async (_, call, sent, type) => {
  const requests: Request[] = []
  const solver = {
    ...{ name: 'fake', address: `0x${'5a'.repeat(20)}` as const, baseUrl: 'http://solver', timeoutMs: undefined },
    fetch: async (request: Request) => {
      requests.push(request)
      return new Response('{"solutions":[]}')
    },
  }
  await requestSolver(solver, { method: 'POST', path: '/solve', timeoutMs: 5_000, ...call }, solveResponseSchema)
  expect(await requests[0]?.text()).toBe(sent)
  expect(requests[0]?.headers.get('Content-Type')).toBe(type)
})

test('accepts a response of a mebibyte', async () => {
  expect(await solve(answer(2 ** 20))).toEqual({ solutions: [] })
})

test('does not parse a response that would fill the memory of a Worker', async () => {
  await expect(solve(answer(3 * 2 ** 20))).rejects.toThrow('longer than 2097152 bytes')
})

test.each([
  { solverMs: 150, callerMs: 5_000, because: 'the own limit of a solver caps a call' },
  { solverMs: 5_000, callerMs: 150, because: 'the own limit of a solver never exceeds the deadline of the caller' },
  { solverMs: undefined, callerMs: 150, because: 'a solver without an own limit has the deadline of the caller' },
])('$because', async ({ solverMs, callerMs }) => {
  const options = solverMs === undefined ? {} : { timeoutMs: solverMs }
  const { solver, stop } = await startSolver('silent', () => undefined, options)
  const call = { method: 'POST', path: '/solve', body: {}, timeoutMs: callerMs } as const
  await expect(settlesBefore(2_500, requestSolver(solver, call, solveResponseSchema))).rejects.toMatchObject({
    kind: 'Timeout',
    message: 'no response within 150 ms',
  })
  await stop()
})

import { expect, test } from 'vitest'
import { startSolver } from '#test/helpers/solvers/startSolver.ts'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { solveResponseSchema } from './driverApi.ts'
import { requestSolver } from './requestSolver.ts'

const solve = (response: Response) =>
  requestSolver(
    {
      name: 'fake',
      address: `0x${'5a'.repeat(20)}`,
      baseUrl: 'http://solver',
      timeoutMs: undefined,
      fetch: async () => response,
    },
    { method: 'POST', path: '/solve', body: {}, timeoutMs: 5_000 },
    solveResponseSchema,
  )
const respond = (body: string | null, init: ResponseInit = {}) => new Response(body, init)
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
  expect(await solve(respond(answer(2 ** 20)))).toEqual({ solutions: [] })
})

const nested = '['.repeat(500_000) + ']'.repeat(500_000)

test.each<[what: string, response: Response, description: unknown]>([
  ['that would fill the memory of a Worker', respond(answer(3 * 2 ** 20)), 'response longer than 2097152 bytes'],
  ['of a web page', respond('<html></html>'), 'status 200, body is not JSON'],
  ['without a body', respond(null), expect.stringMatching(/^body: .*object/)],
  ['of another type', respond('null'), expect.stringMatching(/^body: .*object/)],
  ['of a redirect', respond(null, { status: 307 }), 'status 307, redirects are not followed'],
  [
    'that is nested too deeply for exact ids',
    respond(`{"solutions":[{"solutionId":18446744073709551615,"x":${nested}}]}`),
    'status 200, body is nested too deeply',
  ],
])('a response %s is named as the fault of its solver', async (_, response, message) => {
  await expect(solve(response)).rejects.toMatchObject({ kind: 'Garbage', message })
})

test('a URL with credentials fails as its solver does', async () => {
  const { solver, stop } = await startSolver('named', () => undefined)
  const named = { ...solver, baseUrl: solver.baseUrl.replace('//', '//user:secret@') }
  const call = { method: 'POST', path: '/solve', body: {}, timeoutMs: 5_000 } as const
  await expect(requestSolver(named, call, solveResponseSchema)).rejects.toMatchObject({ kind: 'Unreachable' })
  await stop()
})

test('a body that arrives byte by byte is late', async () => {
  const { solver, stop } = await startSolver('slow', (_, response) => {
    response.write('{"solutions":[')
  })
  const call = { method: 'POST', path: '/solve', body: {}, timeoutMs: 150 } as const
  await expect(requestSolver(solver, call, solveResponseSchema)).rejects.toMatchObject({ kind: 'Timeout' })
  await stop()
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
    message: 'no complete response within 150 ms',
  })
  await stop()
})

import { expect, test } from 'vitest'
import { connectOwnSolvers, findSolverFault } from './findSolverFault.ts'

const solver = (fetch: () => Promise<Response>) => ({
  ...({ name: 'direct', address: '0x01', baseUrl: 'http://direct', timeoutMs: undefined } as const),
  fetch,
})
const answer = (body: unknown, status: number) => solver(async () => Response.json(body, { status }))

test('a ready solver has no fault', async () => {
  expect(await findSolverFault(answer({ status: 'ok', dependencies: { rpc: 'ok' } }, 200))).toBeUndefined()
})

test('names each dependency that is unavailable, with its reason', async () => {
  const dependencies = { rpc: 'ok', funds: 'unavailable', settlements: 'unavailable' }
  const body = { status: 'unavailable', dependencies, reasons: { funds: 'the account holds 0 wei' } }
  expect(await findSolverFault(answer(body, 503))).toBe('funds: the account holds 0 wei. settlements: unavailable')
})

test('gives settings that are missing no text of their own', async () => {
  expect(await findSolverFault(answer({ errorType: 'ServiceUnavailable' }, 503))).toBe('its driver is not ready')
})

test.each([
  ['hangs', () => new Promise<Response>(() => undefined)],
  ['fails', () => Promise.reject(new Error('at https://secret'))],
  ['responds with text', async () => new Response('<html>', { status: 503 })],
])('a driver that %s does not respond in time', async (_, fetch) => {
  expect(await findSolverFault(solver(fetch))).toBe('its driver does not respond')
})

test('drivers behind a URL are not checked', () => {
  const entries = [
    { name: 'direct', address: '0x01', binding: 'SOLVER_DIRECT' } as const,
    { name: 'far', address: '0x02', url: 'https://far.example' } as const,
  ]
  const own = connectOwnSolvers(entries, { SOLVER_DIRECT: { fetch: async () => new Response() } })
  expect(own.map(({ name }) => name)).toEqual(['direct'])
})

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { pauseRoutes } from './pauseRoutes.ts'

const { chainId } = networks.sepolia
const fast = { name: 'fast', address: `0x${'5a'.repeat(20)}` } as const
const path = '/restricted/api/v1/pauses'
const { database, close } = await startTestDatabase()

beforeEach(() => emptyDatabase(database))
afterAll(close)

const request = async (method: string, subject = '', { token = 'secret', isConfigured = true } = {}) => {
  const app = pauseRoutes({ database, chainId, token: isConfigured ? 'secret' : undefined, solvers: [fast] })
  const response = await app.request(`${path}${subject && `/${subject}`}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    ...(method === 'PUT' ? { body: JSON.stringify({ reason: 'exploit reported' }) } : {}),
  })
  return { status: response.status, body: await response.json() }
}

describe('the switches of an operator', () => {
  test('pause and lift, and list what is paused', async () => {
    expect(await request('PUT', 'orders')).toMatchObject({ status: 200, body: [{ subject: 'orders' }] })
    await request('PUT', 'solver:fast')
    await request('PUT', `token:0x${'AB'.repeat(20)}`)
    const entry = { reason: 'exploit reported', since: expect.any(String) }
    const rest = [`solver:${fast.address}`, `token:0x${'ab'.repeat(20)}`].map((subject) => ({ subject, ...entry }))
    expect(await request('GET')).toEqual({ status: 200, body: [{ subject: 'orders', ...entry }, ...rest] })
    expect(await request('DELETE', 'orders')).toEqual({ status: 200, body: rest })
    expect(await request('DELETE', 'orders')).toMatchObject({ status: 404, body: { errorType: 'NotFound' } })
  })

  test.each(['GET', 'PUT', 'DELETE'])('need the token of the operator: %s', async (method) => {
    await request('PUT', 'orders')
    const subject = method === 'GET' ? '' : 'orders'
    const refused = { status: 401, body: { errorType: 'Unauthorized' } }
    expect(await request(method, subject, { token: 'guess' })).toMatchObject(refused)
    expect(await request(method, subject, { isConfigured: false })).toMatchObject(refused)
    expect((await request('GET')).body).toHaveLength(1)
  })

  test.each(['solver:unknown', 'token:0x12', 'everything', 'network:sepolia'])(
    'refuse a subject: %s',
    async (subject) => {
      const { status, body } = await request('PUT', subject)
      expect({ status, body }).toMatchObject({ status: 400, body: { data: { field: 'subject', got: subject } } })
    },
  )
})

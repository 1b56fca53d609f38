import { afterAll, beforeEach, expect, test } from 'vitest'
import { appData } from '#schema/tables/orders/appData.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { documentHash } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getAppData } from './getAppData.ts'
import { putAppData } from './putAppData.ts'

const { database, close } = await startTestDatabase()
beforeEach(() => emptyDatabase(database))
afterAll(close)

const put = async (path: string, body: unknown) => {
  const response = await putAppData(database).request(`/api/v1/app_data${path}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}
const get = (subject: string) => getAppData(database).request(`/api/v1/app_data/${subject}`)

test.each(['', `/${documentHash}`])(
  'PUT app_data%s is 201 for a new document, and 200 for a stored one',
  async (path) => {
    expect(await put(path, { fullAppData: '{}' })).toEqual({ status: 201, body: documentHash })
    expect(await put(path, { fullAppData: '{}' })).toEqual({ status: 200, body: documentHash })
    expect(await database.select().from(appData)).toMatchObject([{ hash: documentHash, fullAppData: '{}' }])
  },
)

test.each([
  ['', {}, 'InvalidParameter'],
  ['', { fullAppData: {} }, 'InvalidParameter'],
  ['', { fullAppData: '' }, 'InvalidAppData'],
  ['', { fullAppData: '7' }, 'InvalidAppData'],
  ['', { fullAppData: '{"metadata":[]}' }, 'InvalidAppData'],
  ['', { fullAppData: '{"a":"\ud800"}' }, 'InvalidAppData'],
  ['', { fullAppData: `{"a":"${'x'.repeat(8_185)}"}` }, 'InvalidAppData'],
  ['/0x12', { fullAppData: '{}' }, 'InvalidParameter'],
  [`/${documentHash}`, { fullAppData: '{ }' }, 'AppDataHashMismatch'],
])('PUT app_data%s %j → 400 %s, nothing stored', async (path, body, errorType) => {
  expect(await put(path, body)).toMatchObject({ status: 400, body: { errorType } })
  expect(await database.select().from(appData)).toEqual([])
})

test.each(['{"a":', '7', ''])('PUT app_data: the error of %j says what a document is', async (fullAppData) => {
  const { body } = await put('', { fullAppData })
  expect(body).toMatchObject({
    description: `the app data document must be a JSON object as text; got ${JSON.stringify(fullAppData)}`,
    data: { field: 'fullAppData', expected: 'a JSON object as text', got: fullAppData },
  })
})

test('PUT app_data: the error of a document that is too long has its field and both sizes', async () => {
  const { body } = await put('', { fullAppData: `{"a":"${'x'.repeat(8_185)}"}` })
  expect(body).toMatchObject({ data: { field: 'fullAppData', bytes: 8_193, maxBytes: 8_192 } })
})

test('a document of exactly 8192 bytes is stored', async () => {
  expect((await put('', { fullAppData: `{"a":"${'x'.repeat(8_184)}"}` })).status).toBe(201)
})

test('GET app_data is cached indefinitely for a known hash, and not at all for an unknown one', async () => {
  await put('', { fullAppData: '{}' })
  const known = await get(documentHash)
  expect(await known.json()).toEqual({ fullAppData: '{}' })
  expect(known.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  const unknown = await get(`0x${'12'.repeat(32)}`)
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toMatchObject({ errorType: 'NotFound', description: 'full app data not found' })
  expect(unknown.headers.get('Cache-Control')).toBe('no-store')
  expect((await get('0x12')).status).toBe(400)
})

const explorerDocument = '{"appCode":"a/b?c#d % \u00e9","metadata":{}}'

test('GET app_data/{url-encoded document} returns that document, not cached', async () => {
  const response = await get(encodeURIComponent(explorerDocument))
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ fullAppData: explorerDocument })
  expect(response.headers.get('Cache-Control')).toBeNull()
})

test.each(['{"a":', '[]', `{"a":"${'x'.repeat(8_185)}"}`])(
  'rejects GET app_data/%s: neither a hash nor a document',
  async (text) => {
    const response = await get(encodeURIComponent(text))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      errorType: 'InvalidParameter',
      data: { field: 'hash', expected: 'a 32-byte hash: 64 hex digits, with or without 0x' },
    })
  },
)

import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { documentHash } from '#test/helpers/database/newOrder.ts'
import { getAppData } from './getAppData.ts'
import { putAppData } from './putAppData.ts'

const put = async (path: string, body: unknown, isNew = true) => {
  const stored: [Hex, string][] = []
  const app = putAppData({
    insertAppData: async (hash, document) => {
      stored.push([hash, document])
      return isNew
    },
  })
  const response = await app.request(`/api/v1/app_data${path}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json(), stored }
}

test.each(['', `/${documentHash}`])('PUT app_data%s: 201 when it is new, 200 when it was there', async (path) => {
  const expected = { body: documentHash, stored: [[documentHash, '{}']] }
  expect(await put(path, { fullAppData: '{}' })).toEqual({ status: 201, ...expected })
  expect(await put(path, { fullAppData: '{}' }, false)).toEqual({ status: 200, ...expected })
})

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
  const result = await put(path, body)
  expect([result.status, result.stored]).toEqual([400, []])
  expect(result.body).toMatchObject({ errorType })
})

test('a document of exactly 8192 bytes is stored', async () => {
  expect((await put('', { fullAppData: `{"a":"${'x'.repeat(8_184)}"}` })).status).toBe(201)
})

test('GET app_data: cached indefinitely when known, not at all when unknown', async () => {
  const get = (document: string | undefined, hash = documentHash) =>
    getAppData({ selectAppData: async () => document }).request(`/api/v1/app_data/${hash}`)
  const known = await get('{}')
  expect(await known.json()).toEqual({ fullAppData: '{}' })
  expect(known.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  const unknown = await get(undefined)
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toMatchObject({ errorType: 'NotFound', description: 'full app data not found' })
  expect(unknown.headers.get('Cache-Control')).toBe('no-store')
  expect((await get('{}', '0x12')).status).toBe(400)
})

const explorerDocument = '{"appCode":"a/b?c#d % \u00e9","metadata":{}}'

test('GET app_data/{url-encoded document}: that document, not cached', async () => {
  const app = getAppData({ selectAppData: async () => undefined })
  const response = await app.request(`/api/v1/app_data/${encodeURIComponent(explorerDocument)}`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ fullAppData: explorerDocument })
  expect(response.headers.get('Cache-Control')).toBeNull()
})

test.each(['{"a":', '[]', `{"a":"${'x'.repeat(8_185)}"}`])(
  'rejects GET app_data/%s: neither a hash nor a document',
  async (text) => {
    const app = getAppData({ selectAppData: async () => undefined })
    const response = await app.request(`/api/v1/app_data/${encodeURIComponent(text)}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      errorType: 'InvalidParameter',
      data: { field: 'hash', expected: 'a 32-byte hash: 0x and 64 hex digits' },
    })
  },
)

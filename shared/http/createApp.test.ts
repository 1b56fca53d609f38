import { gzipSync } from 'node:zlib'
import { createRoute, z } from '@hono/zod-openapi'
import { describe, expect, test } from 'vitest'
import { createApp } from './createApp.ts'
import { describeApp } from './describeApp.ts'

const bodySchema = z
  .object({
    text: z.string().max(3),
    count: z.number().int().min(2),
    list: z.array(z.string()).min(1),
    flag: z.boolean(),
    kind: z.enum(['sell', 'buy']),
    link: z.url(),
    nested: z.object({ part: z.string() }),
    either: z.union([z.string(), z.number()]),
  })
  .partial()

const post = async (
  schema: z.ZodType,
  body: BodyInit,
  contentType = 'application/json',
  headers: Record<string, string> = {},
) => {
  const route = createRoute({
    method: 'post',
    path: '/things',
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: { 200: { description: 'done' } },
  })
  const app = createApp().openapi(route, (c) => c.body(null, 200))
  const response = await app.request('/things', {
    method: 'POST',
    headers: { 'Content-Type': contentType, ...headers },
    body,
  })
  return { status: response.status, ignored: response.headers.get('X-Ignored-Fields'), text: await response.text() }
}

describe('X-Ignored-Fields', () => {
  const one = z.object({ known: z.string() })
  const two = z.object({ other: z.string() })

  test.each<[string, z.ZodType, string | null]>([
    ['an object', one, 'other, extra'],
    ['a transformed object', one.superRefine(() => undefined).transform(Object.keys), 'other, extra'],
    ['a union', z.union([one, two]), 'extra'],
    ['an intersection', one.and(two), 'extra'],
    ['an object that takes any field', one.loose(), null],
    ['a record', z.record(z.string(), z.string()), null],
    ['an array', z.array(one).or(one), null],
  ])('names the unknown fields of %s', async (_, schema, ignored) => {
    const result = await post(schema, JSON.stringify({ known: '1', other: '2', extra: '3' }))
    expect(result).toMatchObject({ status: 200, ignored })
  })

  test('is absent when every field is known', async () => {
    expect((await post(one, '{"known":"1"}')).ignored).toBeNull()
  })

  test('names unknown query parameters, on a response whose headers cannot be changed too', async () => {
    const request = { query: z.object({ limit: z.string().optional() }) }
    const route = createRoute({ method: 'get', path: '/things', request, responses: { 200: { description: 'ok' } } })
    const app = createApp().openapi(route, () => fetch('data:text/plain,ok') as never)
    const ask = async (query: string) => (await app.request(`/things?${query}`)).headers.get('X-Ignored-Fields')
    expect(await ask('limit=1&status=open&all=1')).toBe('status, all')
    expect(await ask('limit=1')).toBeNull()
  })

  test('is set on error responses, too', async () => {
    expect(await post(one, '{"knwon":"1"}')).toMatchObject({ status: 400, ignored: 'knwon' })
  })

  test('is bounded and has only safe characters', async () => {
    const body = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [`${i}é\r\nSet-Cookie: ${'x'.repeat(200)}`, i]),
    )
    const { status, ignored } = await post(one, JSON.stringify({ known: '1', ...body }))
    expect(status).toBe(200)
    const names = ignored?.split(', ') ?? []
    expect(names).toHaveLength(20)
    for (const name of names) expect(name).toMatch(/^[\w.-]{1,40}$/)
  })

  test.each(['[1]', '"text"', '7', 'null', '{"known"'])('is absent for the body %s', async (body) => {
    expect(await post(one, body)).toMatchObject({ status: 400, ignored: null })
  })
})

test.each([
  ['gzip', 415, 'UnsupportedMediaType', 'Content-Encoding'],
  ['identity', 400, 'InvalidParameter', 'body'],
])('a body that is no JSON, with Content-Encoding: %s, is %i', async (encoding, status, errorType, field) => {
  const result = await post(bodySchema, gzipSync('{}'), 'application/json', { 'Content-Encoding': encoding })
  expect({ ...result, ...JSON.parse(result.text) }).toMatchObject({ status, errorType, data: { field } })
})

describe('null in an optional field of a body', () => {
  const part = z.object({ name: z.string(), size: z.number().default(7), note: z.string().optional() })
  const echo = async (schema: z.ZodType, body: unknown) => {
    const request = { body: { required: true, content: { 'application/json': { schema } } } }
    const route = createRoute({ method: 'post', path: '/things', request, responses: { 200: { description: 'ok' } } })
    const app = createApp().openapi(route, (c) => c.json(c.req.valid('json') as object, 200))
    const headers = { 'Content-Type': 'application/json' }
    const response = await app.request('/things', { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: await response.json() }
  }

  test.each<[string, z.ZodType, unknown, unknown]>([
    ['an object', part, { name: 'a', size: null, note: null }, { name: 'a', size: 7 }],
    ['a list of objects', z.array(part), [{ name: 'a', note: null }], [{ name: 'a', size: 7 }]],
    [
      'an object in an object',
      z.object({ part }),
      { part: { name: 'a', note: null } },
      { part: { name: 'a', size: 7 } },
    ],
    ['a union', z.union([z.object({ id: z.int() }), part]), { name: 'a', note: null }, { name: 'a', size: 7 }],
    [
      'an intersection',
      z.object({ id: z.int() }).and(part),
      { id: 1, name: 'a', note: null },
      { id: 1, name: 'a', size: 7 },
    ],
    [
      'a checked and transformed object',
      part.refine(() => true).transform(Object.keys),
      { name: 'a', note: null },
      ['name', 'size'],
    ],
    [
      'an object with required nullable fields',
      z.object({ id: z.null(), part: part.optional() }),
      { id: null, part: null },
      { id: null },
    ],
  ])('counts as absent in %s', async (_, schema, given, parsed) => {
    expect(await echo(schema, given)).toEqual({ status: 200, body: parsed })
  })

  test('is documented, and a required field documents no null', () => {
    const request = { body: { required: true, content: { 'application/json': { schema: part.openapi('Part') } } } }
    const route = createRoute({ method: 'post', path: '/things', request, responses: { 200: { description: 'ok' } } })
    const { components } = describeApp(createApp().openapi(route, (c) => c.body(null, 200)))
    expect(components?.schemas?.Part).toMatchObject({
      required: ['name'],
      properties: { name: { type: 'string' }, size: { type: ['number', 'null'] }, note: { type: ['string', 'null'] } },
    })
  })

  test('is an error in a required field', async () => {
    expect(await echo(part, { name: null })).toMatchObject({ status: 400, body: { data: { field: 'name' } } })
  })
})

describe('a schema without a message of its own is described in plain words', () => {
  test.each<[object | string, string, string]>([
    [{ text: 7 }, 'text', 'text'],
    [{ text: 'long' }, 'text', 'at most 3 characters'],
    [{ count: '7' }, 'count', 'a number'],
    [{ count: 2.5 }, 'count', 'an integer'],
    [{ count: 1 }, 'count', 'at least 2'],
    [{ list: 'a' }, 'list', 'an array'],
    [{ list: [] }, 'list', 'at least 1 items'],
    [{ list: [1] }, 'list.0', 'text'],
    [{ flag: 'true' }, 'flag', 'true or false'],
    [{ kind: 'swap' }, 'kind', 'one of sell, buy'],
    [{ link: 'x' }, 'link', 'a URL'],
    [{ nested: [] }, 'nested', 'an object'],
    [{ nested: {} }, 'nested.part', 'text'],
    [{ either: true }, 'either', 'a value in one of the documented forms'],
    ['[]', 'body', 'an object'],
  ])('%j: %s must be %s', async (body, field, expected) => {
    const { status, text } = await post(bodySchema, typeof body === 'string' ? body : JSON.stringify(body))
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ errorType: 'InvalidParameter', data: { field, expected } })
    expect(text).not.toMatch(/Invalid input|received|undefined|Too /)
  })
})

/** `JSON.parse` has no limit of depth, `JSON.stringify` has. */
test.each(['text', 'count', 'nested', 'either', 'link'])(
  'a field %s nested ten thousand deep is invalid',
  async (field) => {
    const depth = 10_000
    const { status, text } = await post(bodySchema, `{"${field}":${'['.repeat(depth)}${']'.repeat(depth)}}`)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ errorType: 'InvalidParameter', data: { got: '[…]' } })
  },
)

import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '#shared/api/routes.ts'
import { linkToError } from '#shared/http/errorCatalogue.ts'
import { describedSharedWorkers, describedWorkers } from '#tools/workers/describedWorkers.ts'
import { createGateway } from '../createGateway.ts'
import type { WorkerFetch } from '../routing/connectWorkers.ts'
import { type McpTool, mcpTools } from './mcpTools.ts'

const owner = `0x${'aa'.repeat(20)}`
const [sellToken, buyToken, other] = ['11', '22', 'bb'].map((digits) => `0x${digits.repeat(20)}`)
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The newest request that a Worker got. */
let seen: Request | undefined
let respondToQuote: WorkerFetch = async () => Response.json({})
const setUp = (quotes: WorkerFetch) =>
  createGateway({
    workers: { sepolia: { ...describedWorkers, quotes } },
    sharedWorkers: describedSharedWorkers,
    version: '1.2.3',
    trustedAddressHeader: 'CF-Connecting-IP',
    log: () => undefined,
  })
const gateway = setUp(async (request) => {
  if (new URL(request.url).pathname === '/openapi.json') return describedWorkers.quotes?.(request) as Promise<Response>
  seen = request.clone()
  return respondToQuote(request)
})

type Sent = { id?: number | string; method: string; params?: object }

const send = (message: Sent, headers: Record<string, string> = {}) =>
  gateway(
    new Request('http://edgebook.test/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    }),
  )

type Answer = {
  result: { tools: { name: string; inputSchema: object }[]; isError?: boolean; content: { text: string }[] } & {
    structuredContent: Record<string, unknown>
  }
  error: { code: number; data?: unknown }
}

/** A request of the current revision, with the headers that mirror its body. */
const request = async (method: string, params: { name?: string; [key: string]: unknown } = {}) => {
  const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method }
  const name: Record<string, string> = params.name === undefined ? {} : { 'Mcp-Name': params.name }
  const response = await send({ id: 1, method, params: { ...params, _meta: meta } }, { ...headers, ...name })
  return { status: response.status, ...((await response.json()) as Answer) }
}

const call = async (name: string, args: object) => (await request('tools/call', { name, arguments: args })).result

let tools: Answer['result']['tools']
beforeAll(async () => {
  tools = (await request('tools/list')).result.tools
})

test('every tool is read-only and its input schema is that of its route', () => {
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(mcpTools))
  const ajv = new Ajv2020({ strict: false, validateSchema: true })
  for (const { name, inputSchema } of tools) {
    ajv.compile(inputSchema)
    const { path } = routes[(mcpTools as Record<string, McpTool>)[name]?.route ?? 'getIndex']
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    const { properties, required } = inputSchema as { properties: object; required: string[] }
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(parameters))
    expect(required).toEqual(expect.arrayContaining(parameters))
  }
  const follow = tools.find(({ name }) => name === 'follow_order')?.inputSchema as { properties: object }
  expect(Object.keys(follow.properties)).toEqual(['network', 'uid', 'wait', 'if-none-match'])
})

test('a client of the current revision discovers the server and needs no handshake', async () => {
  const { result } = await request('server/discover')
  expect(result).toMatchObject({
    resultType: 'complete',
    supportedVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']),
    capabilities: { tools: {} },
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'edgebook', version: '1.2.3' } },
  })
})

test('a client of an earlier revision begins with a handshake', async () => {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const response = await send({ id: 'a', method: 'initialize', params })
  expect(await response.json()).toMatchObject({ id: 'a', result: { protocolVersion: '2025-06-18' } })
  expect((await send({ method: 'notifications/initialized' })).status).toBe(202)
})

test.each<[string, Sent, Record<string, string>, number, number, object]>([
  ['an unknown method', { id: 1, method: 'prompts/list' }, {}, 404, -32601, {}],
  ['an unknown tool', { id: 1, method: 'tools/call', params: { name: 'sign' } }, {}, 400, -32602, {}],
  [
    'a list of arguments',
    { id: 1, method: 'tools/call', params: { name: 'networks', arguments: [] } },
    {},
    400,
    -32602,
    { message: 'Invalid arguments: an object' },
  ],
  [
    'an unknown revision',
    { id: 1, method: 'ping' },
    { 'MCP-Protocol-Version': '1900-01-01' },
    400,
    -32022,
    { data: { requested: '1900-01-01', supported: expect.any(Array) } },
  ],
  [
    'a header that differs from the body',
    { id: 1, method: 'ping', params: { _meta: meta } },
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' },
    400,
    -32020,
    {},
  ],
])('%s is an error of the protocol, with a link to the catalogue', async (_, message, headers, status, code, facts) => {
  const response = await send(message, headers)
  const { error } = (await response.json()) as Answer
  expect([response.status, error]).toMatchObject([status, { code, ...facts }])
  expect(response.headers.get('Link')).toBe(linkToError(status === 404 ? 'NotFound' : 'InvalidParameter'))
})

const body = { sellToken, buyToken, from: owner, receiver: other, kind: 'sell', sellAmountBeforeFee: '1' }
const terms = { sellToken, buyToken, receiver: other, kind: 'sell' }
const buildQuote = (order: object, message: object = order, from = owner) => ({
  id: 7,
  expiration: '2026-11-28T00:00:00Z',
  from,
  verified: true,
  amounts: {},
  signable: { order, fullAppData: '{}', typedData: { domain: {}, message }, orderUid: '0x12' },
})
const build = (quote: object) => {
  respondToQuote = async () => Response.json(quote)
  return call('build_order', { network: 'sepolia', body: { ...body, receiver: other?.replace('bb', 'BB') } })
}

test('an order to sign has the receiver that was named, and the request that places it lacks only the signature', async () => {
  const { structuredContent } = await build(buildQuote(terms))
  expect(structuredContent).toMatchObject({
    typedData: { message: terms },
    place: {
      method: 'POST',
      path: '/sepolia/api/v1/orders',
      body: { ...terms, quoteId: 7, from: owner, fullAppData: '{}', signature: null },
    },
  })
})

test.each<[string, object]>([
  ['receiver', buildQuote({ ...terms, receiver: owner })],
  ['receiver in the typed data alone', buildQuote(terms, { ...terms, receiver: owner })],
  ['buy token', buildQuote({ ...terms, buyToken: other })],
  ['kind', buildQuote({ ...terms, kind: 'buy' })],
  ['owner', buildQuote(terms, terms, other)],
])('an order with another %s than requested is never returned', async (_, quote) => {
  const result = await build(quote)
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result)).not.toContain('typedData')
})

/** The field that the cure of an error refers to. */
const readField = ({ content }: { content: { text: string }[] }) => JSON.parse(content[0]?.text ?? '').data?.field

test.each([{}, { receiver: null }, { receiver: `0x${'00'.repeat(20)}` }])('%j names no receiver', async (named) => {
  seen = undefined
  const { receiver: _, ...rest } = body
  const result = await call('build_order', { network: 'sepolia', body: { ...rest, ...named } })
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('body.receiver') }] })
  expect(readField(result)).toBe('receiver')
  expect(seen).toBeUndefined()
})

test('a refusal of a route comes with code, class and cure', async () => {
  respondToQuote = async () =>
    Response.json(
      { errorType: 'NoLiquidity', description: 'no route' },
      { status: 400, headers: { Link: linkToError('NoLiquidity') } },
    )
  const { isError, content } = await call('quote', { network: 'sepolia', body })
  expect(isError).toBe(true)
  expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ errorType: 'NoLiquidity', code: 5001, class: 'wait' })
})

test('a misspelt field is an error instead of being ignored', async () => {
  respondToQuote = async () => Response.json({}, { headers: { 'X-Ignored-Fields': 'reciever' } })
  const result = await call('quote', { network: 'sepolia', body: { ...body, reciever: owner } })
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('reciever') }] })
  expect(readField(result)).toBe('reciever')
})

test('the inner request counts for the same client, and has none of the headers of the protocol', async () => {
  respondToQuote = async () => Response.json({ id: 1 })
  const params = { name: 'quote', arguments: { network: 'sepolia', body } }
  await send(
    { id: 1, method: 'tools/call', params },
    { 'CF-Connecting-IP': '198.51.100.7', 'X-API-Key': 'key', Authorization: 'Bearer a', 'Mcp-Session-Id': '1' },
  )
  const headers = Object.fromEntries(seen?.headers ?? [])
  expect(headers).toMatchObject({ 'cf-connecting-ip': '198.51.100.7', 'x-api-key': 'key', accept: 'application/json' })
  expect(Object.keys(headers).filter((name) => /^(mcp-|authorization)/.test(name))).toEqual([])
  expect(await seen?.json()).toEqual(body)
})

test.each([
  ['follow_order', { uid: '..' }, 'uid names nothing', 'uid'],
  ['receipt', { uid: '.' }, 'uid names nothing', 'uid'],
  ['explain_order', { uid: '' }, 'uid names nothing', 'uid'],
  ['follow_order', { uid: '\ud800' }, 'uid names nothing', 'uid'],
  ['receipt', {}, 'uid is missing', 'uid'],
  ['dry_run', { body: {}, signature: '0x' }, 'unknown fields: signature', 'signature'],
  ['native_price', { token: owner, body: {} }, 'unknown fields: body', 'body'],
])('%s refuses %j before it sends a request', async (name, args, reason, field) => {
  seen = undefined
  const result = await call(name, { network: 'sepolia', ...args })
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(reason) }] })
  expect(readField(result)).toBe(field)
  expect(seen).toBeUndefined()
})

test('arguments that are nested without end are refused', async () => {
  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const params = `{"name":"quote","arguments":{"network":"sepolia","body":${nested}}}`
  const response = await gateway(
    new Request('http://edgebook.test/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
    }),
  )
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('nested too deeply')])
})

test('invisible characters of strangers are escaped, and the value is the same', async () => {
  const hidden = { id: 1, reason: `paid \u202e ok\u200b${String.fromCodePoint(0xe0041)} ✓ é` }
  respondToQuote = async () => Response.json(hidden)
  const { content, structuredContent } = await call('quote', { network: 'sepolia', body })
  const text = content[0]?.text ?? ''
  expect(text).toContain('paid \\u202e ok\\u200b\\udb40\\udc41 ✓ é')
  expect(JSON.parse(text)).toEqual(hidden)
  expect(structuredContent).toEqual(hidden)
})

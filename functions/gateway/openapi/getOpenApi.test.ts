import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorCatalogue } from '#shared/http/errorCatalogue.ts'
import { describedSharedWorkers, describedWorkers, findWorkerRoutes } from '#tools/workers/describedWorkers.ts'
import { buildRoutes } from '../buildRoutes.ts'
import { createGateway } from '../createGateway.ts'
import type { WorkerFetch } from '../routing/connectWorkers.ts'
import type { OpenApiDocument } from './buildOpenApiDocument.ts'
import { findOpenApiParts } from './findOpenApiParts.ts'
import { getOpenApi } from './getOpenApi.ts'

const workers = { sepolia: describedWorkers }
const deps = { workers, sharedWorkers: describedSharedWorkers, version: '1.2.3', log: () => undefined }
const gateway = createGateway(deps)
const send = (init?: RequestInit) => gateway(new Request('http://edgebook.test/openapi.json', init))

type Operation = {
  summary?: string
  operationId: string
  tags?: string[]
  parameters?: {
    in: string
    name: string
    required?: boolean
    example?: unknown
    schema?: { example?: unknown; pattern?: string }
  }[]
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, { description: string; content?: object }>
}

let document: OpenApiDocument
/** operations by `GET /{network}/api/v1/…` */
let operations: Map<string, Operation>

beforeAll(async () => {
  document = (await (await send()).json()) as OpenApiDocument
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation as unknown as Operation] as const),
    ),
  )
})

const ownRoutes = () =>
  buildRoutes(deps)
    .routes.filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)

type Exemplified = { place: string; schema: object; example: unknown }

/** Examples with their schemas: that of a body or a parameter, or the one that the example stands in. */
const listExamples = (value: unknown, place = ''): Exemplified[] => {
  if (typeof value !== 'object' || value === null) return []
  const { example, ...rest } = value as { example?: unknown; schema?: object }
  const own = example === undefined ? [] : [{ place, schema: rest.schema ?? rest, example }]
  return [...own, ...Object.entries(rest).flatMap(([key, inner]) => listExamples(inner, `${place}/${key}`))]
}

describe('/openapi.json', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
    expect(document.info.version).toBe('1.2.3')
  })

  test('has exactly the routes of all Workers, those of a network under its segment', () => {
    const expected = findWorkerRoutes()
    expect(expected).toContain('GET /{network}/api/v1/orders/{uid}')
    expect(expected).toContain('GET /{chainId}/tokens/{token}/details')
    const ofWorkers = [...operations.keys()].filter((key) => !ownRoutes().includes(key))
    expect(ofWorkers.sort()).toEqual(expected.sort())
  })

  test('has every route of the gateway itself', () => {
    const own = ownRoutes()
    expect(own).toContain('GET /healthz')
    expect([...operations.keys()]).toEqual(expect.arrayContaining(own))
  })

  test('every operation documents its parameters and errors', () => {
    const incomplete = [...operations].filter(([key, { tags = [], summary, parameters = [], responses }]) => {
      const inPath = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== 'network')
      const described = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      const known =
        tags.length > 0 && Boolean(summary) && tags.every((tag) => document.tags.some(({ name }) => name === tag))
      const succeeds = Object.keys(responses).some((status) => status.startsWith('2') || status === '101')
      const fails = ownRoutes().includes(key) || ['404', '500', '503'].every((status) => responses[status])
      return !known || !succeeds || !fails || inPath.join() !== described.join()
    })
    expect(incomplete.map(([key]) => key)).toEqual([])
    const ids = [...operations.values()].map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(operations.get('GET /{network}/api/v2/trades')?.operationId).toBe('getV2Trades')
  })

  test('every body of a request and every required parameter has an example', () => {
    const missing = [...operations].flatMap(([key, { parameters = [], requestBody }]) => {
      const media = requestBody?.content['application/json']
      const unknown = parameters.filter(
        ({ required, example, schema }) => required && (example ?? schema?.example) === undefined,
      )
      return [
        ...(media && media.example === undefined ? [`${key}: body`] : []),
        ...unknown.map(({ name }) => `${key}: ${name}`),
      ]
    })
    expect(missing).toEqual([])
    expect([...operations.values()].filter(({ requestBody }) => requestBody).length).toBeGreaterThan(15)
  })

  test('a value of the path that a body repeats is the same in both examples', () => {
    const compared = [...operations].flatMap(([key, { parameters = [], requestBody }]) => {
      const body = requestBody?.content['application/json']?.example
      if (typeof body !== 'object' || body === null) return []
      const repeated = parameters.filter(({ in: place, name }) => place === 'path' && name in body)
      return repeated.map(({ name, example, schema }) => [key, name, example ?? schema?.example, body[name as never]])
    })
    expect(compared.length).toBeGreaterThan(0)
    for (const [key, name, inPath, inBody] of compared) expect([key, name, inPath]).toEqual([key, name, inBody])
  })

  test('every example is valid by its schema', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false })
    addFormats.default(ajv)
    ajv.addSchema({ components: structuredClone(document.components) }, 'openapi')
    const findFault = (schema: object, example: unknown) =>
      ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')), example)
        ? undefined
        : ajv.errorsText()
    const examples = listExamples(document)
    const faults = examples.flatMap(({ place, schema, example }) => {
      const fault = findFault(schema, example)
      return fault === undefined ? [] : [`${place}: ${fault}`]
    })
    expect(faults).toEqual([])
    expect(examples.filter(({ place }) => place.includes('/responses/')).length).toBeGreaterThan(5)
  })

  test('hashes and order UIDs of paths and filters may come without 0x', () => {
    const hexLengths = [...operations].flatMap(([key, { parameters = [] }]) =>
      parameters.flatMap(({ name, schema }) => {
        const [, prefix, length] = /^\^(.*)\[0-9a-fA-F\]\{(64|112)\}\$$/.exec(schema?.pattern ?? '') ?? []
        return length ? [{ parameter: `${key} ${name}`, prefix }] : []
      }),
    )
    expect(hexLengths.length).toBeGreaterThan(12)
    expect(hexLengths.filter(({ prefix }) => prefix !== '(?:0x)?')).toEqual([])
  })

  test('an error response lists the error types of its status', () => {
    const response = operations.get('GET /{network}/api/v1/account/{owner}/orders')?.responses['400']
    expect(JSON.stringify(response?.content)).toContain('"enum":["InvalidParameter","LIMIT_OUT_OF_BOUNDS"]')
    expect(response?.description).toContain(errorCatalogue.LIMIT_OUT_OF_BOUNDS.description)
  })

  test('every error of the catalogue belongs to a route', () => {
    const lists = JSON.stringify(document.paths).matchAll(/"errorType":\{"type":"string","enum":(\[[^\]]*\])/g)
    const named = new Set([...lists].flatMap(([, list]) => JSON.parse(list ?? '[]') as string[]))
    // documented once, for every path
    named.add('MethodNotAllowed')
    // only in the auxiliary API, whose errors have no type
    named.add('Conflict')
    expect([...named].sort()).toEqual(Object.keys(errorCatalogue).sort())
  })

  test('a network is documented by its names, aliases and chain id', () => {
    const { description, schema } = document.components.parameters.Network
    expect(schema.enum).toEqual(expect.arrayContaining(['gnosis', 'xdai', '100', '11155111']))
    expect(description).toContain('gnosis = xdai = 100')
  })

  test('a schema of one name is the same in every Worker', async () => {
    for (const part of Object.values(await findOpenApiParts(workers)))
      expect(document.components.schemas).toMatchObject(part.components.schemas)
  })

  test('is cacheable for five minutes, and a 304 for clients that have it', async () => {
    const first = await send()
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=300')
    const etag = first.headers.get('ETag') ?? ''
    const again = await send({ headers: { 'If-None-Match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(again.headers.get('Cache-Control')).toBe('public, max-age=300')
  })

  test('is generated again after five minutes', async () => {
    let requestCount = 0
    let time = 0
    const findDocument = async () => {
      requestCount += 1
      return document
    }
    const app = getOpenApi({ findDocument, now: () => time })
    for (const [after, expected] of [
      [0, 1],
      [299_999, 1],
      [300_000, 2],
    ] as const) {
      time = after
      expect((await app.request('/openapi.json')).status).toBe(200)
      expect(requestCount).toBe(expected)
    }
  })

  test('is a 503 while a Worker cannot describe itself, and complete afterwards', async () => {
    let respond: WorkerFetch = async () => new Response('', { status: 503 })
    const orders: WorkerFetch = (request) => respond(request)
    const mending = createGateway({ ...deps, workers: { sepolia: { ...describedWorkers, orders } } })
    const get = () => mending(new Request('http://edgebook.test/openapi.json'))
    for (const broken of [respond, async () => Response.json([]), async () => Promise.reject(new Error('gone'))]) {
      respond = broken
      const response = await get()
      expect([response.status, response.headers.get('Cache-Control')]).toEqual([503, 'no-store'])
    }
    respond = describedWorkers.orders ?? respond
    expect(await (await get()).json()).toEqual(document)
  })
})

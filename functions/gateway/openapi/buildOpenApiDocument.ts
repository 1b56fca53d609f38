import { z } from 'zod'
import { type NetworkWorker, networkWorkers } from '#shared/api/routes.ts'
import { type ErrorType, errorCatalogue } from '#shared/http/errorCatalogue.ts'
import { type Network, networks } from '#shared/networks.ts'
import type { SharedGroup } from '../routing/connectSharedWorkers.ts'
import { findRoute } from '../routing/findRoute.ts'
import { openApiInfo, openApiTags } from './openApiInfo.ts'

const responseSchema = z.looseObject({ description: z.string() })
const operationSchema = z.looseObject({
  parameters: z.array(z.unknown()).default([]),
  responses: z.record(z.string(), responseSchema),
})

/** The OpenAPI document of one app; only the parts that merging changes are typed. */
export const openApiPartSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)).default({}),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()).default({}) }).default({ schemas: {} }),
})

export type OpenApiPart = z.output<typeof openApiPartSchema>
type Operation = z.output<typeof operationSchema>
type Response = z.output<typeof responseSchema>

export type OpenApiDocument = ReturnType<typeof buildOpenApiDocument>

/**
 * Merges the documents of the gateway and of each group of Workers. Routes of a network move under `/{network}` and get
 * the errors that every route can return. Schemas with the same name are identical in all parts.
 */
export const buildOpenApiDocument = (
  version: string,
  own: OpenApiPart,
  parts: Record<NetworkWorker, OpenApiPart>,
  sharedParts: Partial<Record<SharedGroup, OpenApiPart>> = {},
) => {
  const ofNetworks = networkWorkers.flatMap((group) =>
    Object.entries(parts[group].paths)
      .filter(([path]) => findRoute(`/{network}${path}`)?.worker === group)
      .map(([path, item]) => [`/{network}${path}`, toNetworkItem(item)] as const),
  )
  const shared = Object.entries(sharedParts).flatMap(([group, part]) =>
    Object.entries(part.paths)
      .filter(([path]) => findRoute(path)?.worker === group)
      .map(([path, item]) => [path, toSharedItem(item)] as const),
  )
  const paths = {
    ...mapValues(own.paths, toOwnItem),
    ...Object.fromEntries(ofNetworks),
    ...Object.fromEntries(shared),
  }
  return {
    openapi: '3.1.0' as const,
    info: { ...openApiInfo, version },
    servers: [{ url: '/', description: 'this deployment' }],
    tags: openApiTags,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, nameOperations(path, item)])),
    components: {
      schemas: Object.assign(
        {},
        ...[...Object.values(parts), ...Object.values(sharedParts)].map(({ components }) => components.schemas),
        own.components.schemas,
      ),
      parameters: { Network: networkParameter },
    },
  }
}

const segmentsOf = ({ name, aliases, chainId }: Network) => [name, ...aliases, String(chainId)]

const networkParameter = {
  name: 'network',
  in: 'path',
  required: true,
  description: `Network: its name, an alias or its chain id. ${Object.values<Network>(networks)
    .map((network) => segmentsOf(network).join(' = '))
    .join(', ')}. \`GET /\` lists the networks of this deployment.`,
  schema: { type: 'string', enum: Object.values<Network>(networks).flatMap(segmentsOf) },
  example: networks.sepolia.name,
}

/**
 * The network is a parameter of each operation, because documentation renderers do not resolve path-level parameters.
 */
const toNetworkItem = (item: Record<string, Operation>) =>
  mapValues(item, (operation) => ({
    ...operation,
    parameters: [{ $ref: '#/components/parameters/Network' }, ...operation.parameters],
    responses: addErrors(operation.responses, onEveryRoute),
  }))

/** The auxiliary API has one error schema for all error types. */
const toSharedItem = (item: Record<string, Operation>) =>
  mapValues(item, (operation) => {
    const common = Object.fromEntries(
      onEveryRoute.map((type) => {
        const { status, description } = errorCatalogue[type]
        return [status, { description, content: { 'application/json': { schema: messageReference } } }]
      }),
    )
    return { ...operation, responses: { ...common, ...operation.responses } }
  })

const messageReference = { $ref: '#/components/schemas/Message' }

const mapValues = <T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/** Errors that the gateway returns before a request reaches a route. */
const beforeRouting: ErrorType[] = ['HeadersTooLarge', 'PayloadTooLarge', 'RateLimited', 'RequestTimeout', 'UriTooLong']

/** Errors that every route of a Worker can return. */
const onEveryRoute: ErrorType[] = [...beforeRouting, 'NotFound', 'InternalServerError', 'ServiceUnavailable']

const toOwnItem = (item: Record<string, Operation>) =>
  mapValues(item, (operation) => ({ ...operation, responses: addErrors(operation.responses, beforeRouting) }))

const addErrors = (own: Record<string, Response>, types: ErrorType[]): Record<string, Response> => {
  const responses = { ...own }
  for (const type of types) {
    const { status, description } = errorCatalogue[type]
    const earlier = responses[status]
    const known = readErrorTypes(earlier)
    if (known.includes(type)) continue
    const lines = [...(earlier ? [earlier.description] : []), `- \`${type}\`: ${description}`]
    responses[status] = toErrorResponse(lines.join('\n'), [...known, type])
  }
  return responses
}

/** An error response in the shape that `errorResponses` produces in a document. */
const toErrorResponse = (description: string, types: string[]) => ({
  description,
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          { type: 'object', properties: { errorType: { type: 'string', enum: types } } },
        ],
      },
    },
  },
})

const errorTypesSchema = z.object({
  content: z.object({
    'application/json': z.object({
      schema: z.object({
        allOf: z.tuple([
          z.unknown(),
          z.object({ properties: z.object({ errorType: z.object({ enum: z.array(z.string()) }) }) }),
        ]),
      }),
    }),
  }),
})

const readErrorTypes = (response: unknown): string[] =>
  errorTypesSchema.safeParse(response).data?.content['application/json'].schema.allOf[1].properties.errorType.enum ?? []

/** Adds operation ids, the function names of generated clients: `GET /{network}/api/v2/trades` is `getV2Trades`. */
const nameOperations = (path: string, item: Record<string, Operation>) =>
  Object.fromEntries(
    Object.entries(item).map(([method, operation]) => [
      method,
      { operationId: toOperationId(method, path), ...operation },
    ]),
  )

const toOperationId = (method: string, path: string): string => {
  const words = path
    .replace('/{network}', '')
    .replace('/api/v1', '')
    .replace('/api', '')
    .replace(/\{(\w+)\}/g, 'by_$1')
    .split(/\W|_/)
    .filter((word) => word !== '')
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return method + (name || 'Index')
}

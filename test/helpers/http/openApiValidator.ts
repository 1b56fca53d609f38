import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Json = { [key: string]: unknown }

/** The part of an OpenAPI 3.1 document needed to check responses. */
export type ApiDocument = {
  paths: Record<string, Json>
  components: { schemas: Record<string, Json>; parameters: { Network: { schema: { enum: string[] } } } }
}

/** The part of a document with its schemas. */
type Described = { components: { schemas: Record<string, Json> } }

export type Exchange = {
  method: string
  /** as sent: encoded, without the query */
  path: string
  status: number
  headers: Headers
  /** undefined: not checked, as in a stream */
  body: string | undefined
}

type Operation = { responses: Record<string, { content?: Record<string, { schema?: Json }> }> }

/** Path of the order book, unless its first segment is one of the auxiliary API, whose errors may lack a type. */
const orderBookPath = /^\/[^/]+\/(restricted\/)?api\//

/** Responses outside the document's operations (its description, Errors). */
const undocumented: Record<string, string[]> = {
  404: ['NotFound'],
  405: ['MethodNotAllowed'],
  413: ['PayloadTooLarge'],
  429: ['RateLimited'],
}

/**
 * Checks responses of the gateway against its OpenAPI document: status, content type, a body without undocumented
 * fields, and the headers of every response.
 * @returns the deviations in words; empty without any
 */
export const createOpenApiValidator = (document: ApiDocument) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(tightenDocument(document), 'openapi')
  const paths = Object.keys(document.paths).map((template) => ({ template, pattern: toPattern(template) }))
  // A literal segment precedes a parameter.
  paths.sort((a, b) => a.template.split('{').length - b.template.split('{').length)
  const networks = new Set(document.components.parameters.Network.schema.enum)

  const toFirstSegment = (path: string) => path.split('/')[1] ?? ''
  const fixedSegments = new Set(paths.map(({ template }) => toFirstSegment(template)))
  const isOrderBook = (path: string) => orderBookPath.test(path) && !fixedSegments.has(toFirstSegment(path))

  const findOperation = (method: string, path: string) => {
    const plain = decode(normalize(path))
    const name = method === 'HEAD' ? 'get' : method.toLowerCase()
    const isOfNetwork = networks.has(toFirstSegment(plain))
    const candidates = paths.filter(
      ({ template, pattern }) => pattern.test(plain) && (isOfNetwork || !template.startsWith('/{network}')),
    )
    const found = candidates.find(({ template }) => document.paths[template]?.[name]) ?? candidates[0]
    if (!found) return undefined
    return {
      template: found.template,
      /** a more literal path without this method: it may respond instead */
      isShadowed: candidates[0] !== found,
      name,
      operation: document.paths[found.template]?.[name] as Operation | undefined,
    }
  }

  const checkBody = (pointer: string, body: string): string[] => {
    let value: unknown
    try {
      value = JSON.parse(body)
    } catch {
      return ['the body is not JSON']
    }
    const validate = ajv.getSchema(`openapi#${pointer}`)
    if (!validate) return [`no schema at ${pointer}`]
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }

  const checkResponse = ({ method, path, status, headers, body }: Exchange): string[] => {
    if (method === 'OPTIONS') return status === 204 ? [] : ['a preflight answers 204']
    const found = findOperation(method, path)
    const contentType = headers.get('content-type')?.split(';')[0]?.trim() ?? ''
    if (!found?.operation) {
      const expected = [...(found ? ['405'] : ['404']), '413', '429']
      const types = expected.includes(String(status)) ? undocumented[status] : undefined
      if (!types) return [`no such operation: expected ${expected.join(' or ')}`]
      if (method === 'HEAD') return []
      const { errorType, description } = readError(body)
      if (!isOrderBook(normalize(path)) && errorType === undefined && description) return []
      return types.includes(errorType) ? [] : [`the error is ${errorType}, expected ${types.join()}`]
    }
    if (status === 405 && found.isShadowed) return []
    const response = found.operation.responses[status]
    if (!response) return [`${status} is not among the documented responses`]
    if (!response.content) return body ? ['undocumented body'] : []
    if (method === 'HEAD') return []
    if (!response.content[contentType]) return [`undocumented content type ${contentType}`]
    if (body === undefined || contentType !== 'application/json') return []
    const pointer = ['paths', found.template, found.name, 'responses', String(status), 'content', contentType, 'schema']
    return checkBody(pointer.map((part) => `/${toPointer(part)}`).join(''), body)
  }

  return (exchange: Exchange): string[] => [...checkHeaders(exchange), ...checkResponse(exchange)]
}

const checkHeaders = ({ method, path, status, headers, body }: Exchange): string[] => {
  // an unavailable dependency is a regular response of this route, not an error
  const isReport = path === '/readyz'
  const required: [string, RegExp, boolean][] = [
    ['Access-Control-Allow-Origin', /^\*$/, true],
    ['X-Request-Id', /^[\w.:-]{1,64}$/, true],
    ['Cache-Control', status >= 400 ? /^(no-store|public, max-age=15)$/ : /./, true],
    ['Content-Type', /^application\/json/, status >= 400],
    ['Allow', /^[A-Z]+(, [A-Z]+)*$/, status === 405],
    ['Retry-After', /^\d+$/, status === 503 || status === 429],
    ['Link', findErrorLink(body), status >= 400 && !isReport],
  ]
  const missing = required
    .filter(([name, pattern, applies]) => applies && !pattern.test(headers.get(name) ?? ''))
    .map(([name]) => `the header ${name} is ${headers.get(name)}`)
  if (status < 400 || isReport || method === 'HEAD' || body === undefined || readError(body).description) return missing
  return [...missing, 'the error has no envelope']
}

/** The link of an error to its row in the catalogue; a body without a type may have any. */
const findErrorLink = (body: string | undefined): RegExp =>
  new RegExp(`^</errors#${readError(body).errorType || '\\w+'}>; rel="help"$`)

const readError = (body: string | undefined): { errorType: string; description: string } => {
  try {
    // the last one: JSON-RPC
    const { errorType, description, message, error } = JSON.parse(body ?? '')
    return { errorType, description: description ?? message ?? error?.message }
  } catch {
    return { errorType: '', description: '' }
  }
}

const toPattern = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`, 's')

/** As the server's URL parser reads it, without dot segments; a trailing slash is ignored. */
const normalize = (path: string): string => {
  const { pathname } = new URL(`http://edgebook.test${path}`)
  return pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
}

const decode = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const toPointer = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

/** The document with closed objects: undocumented fields are deviations. */
export const tightenDocument = (document: Described): Json => {
  const { schemas } = document.components
  const resolve = (schema: Json): Json => {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref))?.[1]
    return (name && schemas[name]) || schema
  }
  const tighten = (value: unknown, isPart: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => tighten(item, isPart))
    if (typeof value !== 'object' || value === null) return value
    // A part of an allOf knows only its own fields: only the whole is closed.
    const schema = isPart ? resolve(value as Json) : (value as Json)
    const open = 'additionalProperties' in schema || !('properties' in schema || 'allOf' in schema)
    return {
      ...Object.fromEntries(
        Object.entries(schema).map(([key, inner]) => {
          if (key === 'properties') return [key, isPart ? inner : tightenEach(inner as Json)]
          return [key, tighten(inner, key === 'allOf')]
        }),
      ),
      ...(open || isPart ? {} : { unevaluatedProperties: false }),
    }
  }
  const tightenEach = (values: Json) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, tighten(value, false)]))
  return tighten(document, false) as Json
}

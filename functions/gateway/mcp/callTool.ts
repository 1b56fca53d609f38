import { z } from 'zod'
import { routes } from '#shared/api/routes.ts'
import { type ErrorType, errorCatalogue } from '#shared/http/errorCatalogue.ts'
import type { JsonObject, JsonValue } from '#shared/jsonObject.ts'
import { type SendInternal, toInnerHeaders } from '../routing/sendInternal.ts'
import { buildSigningRequest } from './buildSigningRequest.ts'
import type { McpTool } from './mcpTools.ts'

export type ToolResult = { content: { type: 'text'; text: string }[]; structuredContent?: JsonObject; isError?: true }

/** A call that no request is sent for. */
class ArgumentError extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * Calls the route of a tool. Arguments are the parameters of the route by name, and `body`; the route validates them.
 * A name that the route does not know is an error, because an agent would not notice that it is ignored.
 * @param outer the request to the MCP endpoint, whose client sends the inner one
 * @param known names of the arguments
 */
export const callTool = async (
  send: SendInternal,
  outer: Request,
  tool: McpTool,
  known: ReadonlySet<string>,
  given: Record<string, unknown>,
): Promise<ToolResult> => {
  try {
    const unknown = Object.keys(given).filter((name) => !known.has(name))
    if (unknown.length > 0) throw buildUnknown(unknown)
    const request = buildRequest(outer, tool, { ...tool.defaults, ...given })
    const response = await send(request)
    const text = response.status === 304 ? '' : await response.text()
    if (response.status >= 400) return toError(response, text)
    const ignored = response.headers.get('X-Ignored-Fields')
    if (ignored) throw buildUnknown(ignored.split(', '))
    return toResult(present(tool, given, response, text))
  } catch (error) {
    if (error instanceof ArgumentError) {
      return toFailure({ errorType: 'InvalidParameter', description: error.message, data: { field: error.field } })
    }
    throw error
  }
}

const buildUnknown = (names: readonly string[]): ArgumentError =>
  new ArgumentError(names[0]?.slice(0, 40) ?? '', `unknown fields: ${names.slice(0, 5).join(', ').slice(0, 200)}`)

const buildRequest = (outer: Request, tool: McpTool, given: Record<string, unknown>): Request => {
  const { method, path } = routes[tool.route]
  const { body, ...parameters } = given
  const headers = toInnerHeaders(outer)
  headers.set('Accept', 'application/json')
  const inPath = new Set<string>()
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name)
    return toSegment(name, parameters[name])
  })
  const url = new URL(pathname, outer.url)
  for (const [name, value] of Object.entries(parameters)) {
    if (inPath.has(name) || value === undefined || value === null) continue
    if (tool.headers?.includes(name)) headers.set(name, toHeader(name, value))
    else url.searchParams.set(name, toText(name, value))
  }
  if (method === 'get') return new Request(url, { headers })
  if (tool.isPinned) readReceiver(body)
  headers.set('Content-Type', 'application/json')
  return new Request(url, { method: method.toUpperCase(), headers, body: toJson(body ?? null) })
}

const toText = (name: string, value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  // a list of tokens, which the query has with commas
  if (Array.isArray(value)) return value.map((item) => toText(name, item)).join(',')
  throw new ArgumentError(name, `${name} is missing or no text`)
}

/** A segment of a path that stays one: an empty one, `.` or `..` would be the path of another route. */
const toSegment = (name: string, value: unknown): string => {
  const text = toText(name, value)
  if (!text.isWellFormed() || /^\.{0,2}$/.test(text)) throw new ArgumentError(name, `${name} names nothing`)
  return encodeURIComponent(text)
}

/** A document may be nested more deeply than it can be written. */
const toJson = (body: unknown): string => {
  try {
    return JSON.stringify(body)
  } catch {
    throw new ArgumentError('body', 'body is nested too deeply')
  }
}

const toHeader = (name: string, value: unknown): string => {
  const text = toText(name, value)
  if (!/^[\x20-\x7e]{1,200}$/.test(text)) throw new ArgumentError(name, `${name} must be short and printable`)
  return text
}

const receiverSchema = z.object({ receiver: z.string().regex(/^0x(?!0{40})[0-9a-fA-F]{40}$/) })

const readReceiver = (body: unknown): string => {
  const { success, data } = receiverSchema.safeParse(body)
  if (!success) throw new ArgumentError('receiver', 'body.receiver: the address that gets the bought tokens')
  return data.receiver
}

/** @throws ArgumentError when the order is not the one that was requested */
const present = (tool: McpTool, given: Record<string, unknown>, response: Response, text: string): JsonValue => {
  const etag = response.headers.get('ETag')
  if (response.status === 304) return { unchanged: true, etag }
  const body = JSON.parse(text) as JsonValue
  if (tool.headers?.includes('if-none-match')) return { etag, order: body }
  if (!tool.isPinned) return body
  const built = buildSigningRequest(given.body, body, routes.postOrder.path.replace('{network}', String(given.network)))
  if (built === undefined)
    throw new ArgumentError('body', 'no order with these owner, receiver, tokens and kind can be signed')
  return built
}

/**
 * JSON whose characters a person can see: strangers write app data, token symbols and reasons of reverts, and a model reads
 * text in invisible characters like any other. They are escaped, so that the value is the same.
 */
const toVisibleJson = (value: JsonValue): string =>
  JSON.stringify(value).replace(/[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (text) =>
    Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )

const toResult = (value: JsonValue): ToolResult => ({
  content: [{ type: 'text', text: toVisibleJson(value) }],
  ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? { structuredContent: value } : {}),
})

const errorSchema = z.looseObject({})

/** The error of a route with its row of the catalogue, which its `Link` names. */
const toError = (response: Response, text: string): ToolResult => {
  const [, errorType] = /errors#(\w+)/.exec(response.headers.get('Link') ?? '') ?? []
  const { data = {} } = errorSchema.safeParse(parseJson(text))
  const retryAfter = response.headers.get('Retry-After')
  return toFailure({
    errorType: (errorType ?? 'InternalServerError') as ErrorType,
    ...(data as JsonObject),
    ...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }),
  })
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toFailure = (failure: JsonObject & { errorType: ErrorType }): ToolResult => {
  const { code, class: kind, cure } = errorCatalogue[failure.errorType]
  return { content: [{ type: 'text', text: toVisibleJson({ ...failure, code, class: kind, cure }) }], isError: true }
}

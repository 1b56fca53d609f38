import { z } from '@hono/zod-openapi'

/**
 * Revisions of the Model Context Protocol, newest first (modelcontextprotocol.io/specification). From 2026-07-28 each
 * request names its revision in `_meta` and there is no handshake; clients of the earlier ones begin with `initialize`.
 */
export const currentVersion = '2026-07-28'
const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
export const supportedVersions: readonly string[] = [currentVersion, ...handshakeVersions]

/** The revision for a client that asks for one in `initialize`. */
export const negotiateVersion = (requested: unknown): string =>
  handshakeVersions.find((version) => version === requested) ?? handshakeVersions[0]

const maxIdLength = 128

/** One JSON-RPC 2.0 request, or a notification, which has no id. Batches are not part of the protocol any more. */
export const messageSchema = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string().max(maxIdLength), z.number()]).optional(),
    method: z.string().max(maxIdLength),
    params: z.looseObject({}).optional(),
  })
  .openapi('McpMessage', { description: 'a message of the Model Context Protocol: JSON-RPC 2.0' })

export type McpMessage = z.output<typeof messageSchema>

/** Error codes of JSON-RPC and of the protocol. */
export const rpcCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

/** An error response of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number
  readonly status: 400 | 404
  readonly data: unknown

  constructor(code: keyof typeof rpcCodes, message: string, { status = 400, data }: RpcErrorFacts = {}) {
    super(message)
    this.code = rpcCodes[code]
    this.status = status
    this.data = data
  }
}

type RpcErrorFacts = { status?: 400 | 404; data?: unknown }

const metaSchema = z.object({ 'io.modelcontextprotocol/protocolVersion': z.string() })

/**
 * The revision of a request: that of its `_meta`, or undefined for a client with a handshake.
 * @throws RpcError when the revision is not supported, or a header of the current revision differs from the body
 */
export const checkVersion = ({ method, params }: McpMessage, headers: Headers): string | undefined => {
  const header = headers.get('MCP-Protocol-Version') ?? undefined
  const { data: meta } = metaSchema.safeParse(params?._meta)
  const version = meta?.['io.modelcontextprotocol/protocolVersion']
  const requested = version ?? header
  if (requested !== undefined && !supportedVersions.includes(requested)) {
    const data = { supported: supportedVersions, requested }
    throw new RpcError('unsupportedVersion', 'Unsupported protocol version', { data })
  }
  if (requested !== currentVersion) return undefined
  checkHeader('MCP-Protocol-Version', header, version)
  checkHeader('Mcp-Method', headers.get('Mcp-Method'), method)
  if (method === 'tools/call') checkHeader('Mcp-Name', decodeHeader(headers.get('Mcp-Name')), params?.name)
  return currentVersion
}

const checkHeader = (name: string, sent: string | null | undefined, expected: unknown): void => {
  if (sent !== expected) throw new RpcError('headerMismatch', `Header mismatch: ${name} does not match the body`)
}

/** A value that is not plain ASCII is sent as `=?base64?…?=`. */
const decodeHeader = (value: string | null): string | null => {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? []
  if (encoded === undefined) return value
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)))
  } catch {
    return null
  }
}

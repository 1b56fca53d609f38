import type { MiddlewareHandler } from 'hono'
import { clientKeyHeader } from '#shared/http/clientKeyHeader.ts'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import type { GatewayEnv } from '../gatewayEnv.ts'
import { clientAddressHeader, readClientAddress } from '../limits/readClientAddress.ts'
import { withoutSlash } from '../routing/withoutSlash.ts'

/**
 * Replaces the request with the one that Workers receive: no trailing slash, the request id, and the client's address
 * and key as the trusted proxy reports them.
 * @param trustedAddressHeader set by the proxy in front; without one all clients share one key
 */
export const identifyClient =
  (trustedAddressHeader: string | undefined): MiddlewareHandler<GatewayEnv> =>
  async (c, next) => {
    const { raw } = c.req
    const url = new URL(raw.url)
    url.pathname = withoutSlash(url.pathname)
    const inner = new Request(url, raw)
    inner.headers.set('X-Request-Id', c.var.requestId)
    const address = readClientAddress(raw.headers, trustedAddressHeader)
    if (address === undefined) inner.headers.delete(clientAddressHeader)
    else inner.headers.set(clientAddressHeader, address)
    inner.headers.set(clientKeyHeader, computeClientKey(address))
    c.req.raw = inner
    await next()
  }

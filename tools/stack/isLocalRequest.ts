import type { IncomingMessage } from 'node:http'

const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Whether a request to a service of this machine names this machine, and comes from no page of another site. A page reaches a
 * loopback port through its own origin, or through a name of its own that it resolves to this machine (DNS rebinding).
 * @param port of the service
 */
export const isLocalRequest = ({ headers }: Pick<IncomingMessage, 'headers'>, port: number): boolean => {
  const host = URL.parse(`http://${headers.host ?? ''}`)
  if (!host || !localNames.has(host.hostname) || Number(host.port || 80) !== port) return false
  if (headers.origin === undefined) return true
  const origin = URL.parse(headers.origin)
  return origin !== null && localNames.has(origin.hostname)
}

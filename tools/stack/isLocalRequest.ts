import type { IncomingMessage } from 'node:http'

const localNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Whether a request to a service of this machine names this machine and has no foreign origin. A page reaches a
 * loopback port through its own origin, or through a host name that it resolves to this machine (DNS rebinding). The
 * port of the name proves nothing: a local proxy has another one.
 */
export const isLocalRequest = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean => {
  const host = URL.parse(`http://${headers.host ?? ''}`)
  if (!host || !localNames.has(host.hostname)) return false
  if (headers.origin === undefined) return true
  const origin = URL.parse(headers.origin)
  return origin !== null && localNames.has(origin.hostname)
}

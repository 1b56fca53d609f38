/** Header with the client's address, as the gateway reads it (`CLIENT_ADDRESS_HEADER`). */
export const addressHeader = 'X-Real-IP'

/**
 * The request with the address of its client: a trusted proxy states it in the header, every other peer is the client
 * itself, and what it states is replaced.
 * @param proxies addresses of the trusted proxies, IPv6 in its canonical form
 */
export const trustProxies = (request: Request, proxies: readonly string[]): Request => {
  const peer = readPeer((request as { cf?: { clientIp?: unknown } }).cf?.clientIp)
  if (peer !== undefined && proxies.includes(peer)) return request
  const own = new Request(request)
  if (peer === undefined) own.headers.delete(addressHeader)
  else own.headers.set(addressHeader, peer)
  return own
}

/** @param text `1.2.3.4:80` or `[2001:db8::1]:80`, as workerd writes the address of a peer */
const readPeer = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return undefined
  const [, address = ''] = /^\[?(.*?)\]?:\d+$/.exec(text) ?? []
  return address.replace(/^::ffff:(?=\d+\.)/, '') || undefined
}

/** The header by which the gateway passes the client's address on; the platform's own name for it. */
export const clientAddressHeader = 'CF-Connecting-IP'

const addressPattern = /^[0-9a-fA-F:.]{2,45}$/

/**
 * The address of the client, as the front of this deployment says it.
 * @param trustedHeader the header that the front sets itself, whatever the client sends; undefined: there is no such front, and
 *   all clients count as one
 */
export const readClientAddress = (headers: Headers, trustedHeader: string | undefined): string | undefined => {
  const address = trustedHeader ? headers.get(trustedHeader) : null
  return address !== null && addressPattern.test(address) ? address : undefined
}

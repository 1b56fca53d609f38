/** Header with the client's address, from the platform and from the gateway to its Workers. */
export const clientAddressHeader = 'CF-Connecting-IP'

const addressPattern = /^[0-9a-fA-F:.]{2,45}$/

/**
 * The address of the client, set by the proxy in front of this deployment.
 * @param trustedHeader header that the proxy overwrites on every request; undefined: no such proxy, all clients share
 *   one key
 */
export const readClientAddress = (headers: Headers, trustedHeader: string | undefined): string | undefined => {
  const address = trustedHeader ? headers.get(trustedHeader) : null
  return address !== null && addressPattern.test(address) ? address : undefined
}

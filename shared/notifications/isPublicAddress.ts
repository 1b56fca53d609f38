import ipaddr from 'ipaddr.js'

/** Global unicast addresses (RFC 4291, 2.4); embedded IPv4 and site-local addresses lie outside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is a single host on the public internet: not private, loopback, link-local, shared, multicast or reserved,
 * and without an embedded IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
 * @param text dotted IPv4 or IPv6 without brackets, as returned by resolvers; anything else is not public
 */
export const isPublicAddress = (text: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast'
  if (!ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  return address.zoneId === undefined && address.range() === 'unicast' && address.match(globalUnicast)
}

import ipaddr from 'ipaddr.js'

/** All that is assigned to networks of the internet (RFC 4291, 2.4); embedded IPv4 and site-local addresses lie outside. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address is one host of the public internet: no private, loopback, link-local, shared, multicast or reserved
 * one, and none that carries an IPv4 address inside (mapped, compatible, NAT64, 6to4, Teredo).
 * @param text IPv4 in dots or IPv6 without brackets, as resolvers answer it; anything else is not public
 */
export const isPublicAddress = (text: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === 'unicast'
  if (!ipaddr.IPv6.isValid(text)) return false
  const address = ipaddr.IPv6.parse(text)
  return address.zoneId === undefined && address.range() === 'unicast' && address.match(globalUnicast)
}

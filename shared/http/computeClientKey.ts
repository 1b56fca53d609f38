/** Key of clients without a known address; the platform always sends one. */
const unknownClient = 'unknown'

/**
 * Key under which the requests of a client are counted: an IPv4 address, or an IPv6 /64 network, because one subscriber
 * gets a whole /64 and can use any address in it.
 * @param address from the platform's `CF-Connecting-IP`
 */
export const computeClientKey = (address: string | undefined): string => {
  if (!address) return unknownClient
  if (!address.includes(':')) return address
  const embedded = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  return embedded ?? `${expand(address).slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address, `::` filled with zeros, without leading zeros. */
const expand = (address: string): string[] => {
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = toGroups(head)
  if (tail === undefined) return before
  const after = toGroups(tail)
  const zeros = Array.from({ length: Math.max(8 - before.length - after.length, 0) }, () => '0')
  return [...before, ...zeros, ...after]
}

const toGroups = (text: string): string[] =>
  text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''))

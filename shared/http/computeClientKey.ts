/** What stands for a client without a known address; the platform always knows it. */
const unknownClient = 'unknown'

/**
 * Whose requests are counted together: one IPv4 address, or one IPv6 network of 64 bits, since that is what one
 * subscriber gets and may choose any address of.
 * @param address as the platform's `CF-Connecting-IP` says it
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

import { isPublicAddress } from './isPublicAddress.ts'

/** A rejected target URL of a subscription. The message is for the owner of the subscription. */
export class TargetError extends Error {
  override name = 'TargetError'
}

export type TargetRules = {
  /** accepts http, any host and any port: for local stacks only */
  allowPrivate: boolean
}

/** Characters of a URL. */
const maxLength = 2_048
/** Lower ports belong to other protocols, except 443. */
const minFreePort = 1_024
const localNames = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'arpa',
]

/**
 * Checks an untrusted target URL without a DNS lookup: https, no credentials, a public host name or address, port 443 or one
 * above 1023. Callers check the resolved addresses before each connection.
 * @returns the URL as parsed by the platform: hosts in lower case, addresses in canonical form
 * @throws TargetError
 */
export const checkTarget = (text: string, { allowPrivate }: TargetRules): URL => {
  if (text.length > maxLength) throw new TargetError(`a URL of at most ${maxLength} characters`)
  const url = URL.parse(text)
  if (!url) throw new TargetError('a URL')
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw new TargetError('an https URL')
  if (url.username || url.password) throw new TargetError('a URL without user and password')
  if (allowPrivate) return url
  checkHost(url.hostname.replace(/\.$/, ''))
  if (url.port && Number(url.port) < minFreePort) throw new TargetError(`port 443, or one from ${minFreePort}`)
  return url
}

const checkHost = (host: string): void => {
  const labels = host.split('.')
  const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host)
  if (isAddress && !isPublicAddress(host.replace(/^\[|\]$/g, ''))) throw new TargetError('a public address')
  if (isAddress) return
  if (labels.length < 2 || labels.includes('') || localNames.includes(labels.at(-1) ?? ''))
    throw new TargetError('a host with a public name')
}

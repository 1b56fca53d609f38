import { isPublicAddress } from './isPublicAddress.ts'

/** Why nothing is sent to a URL that somebody else chose. The message is for whoever chose it. */
export class TargetError extends Error {
  override name = 'TargetError'
}

export type TargetRules = {
  /** takes http, any host and any port: for a machine of one's own only */
  allowPrivate: boolean
}

/** Characters of a URL. */
const maxLength = 2_048
/** Lower ports than this belong to other protocols, except that of https. */
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
 * What can be told of a URL that a stranger chose without asking anybody: https, no credentials, a name or an address of the
 * public internet, port 443 or one above 1023. What the name resolves to is for whoever connects to check, each time.
 * @returns the URL as the platform reads it: hosts in lower case, addresses in their usual form
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

/** Placement of a Worker: near a region of a cloud provider, or near a host that the platform probes. */
type Placement = { region: string } | { host: string }

/** Hosts of Neon name their region: `ep-….eu-central-1.aws.neon.tech`. */
const neonHost = /\.([a-z]+-[a-z]+-\d+|[a-z]+\d?)\.(aws|azure)\.neon\.tech$/
const isLocal = (hostname: string): boolean => /^(?:localhost|127\..*|\[::1\])$/.test(hostname)

/**
 * The placement of a Worker near its database, because each of its requests has a round trip to it.
 * @returns undefined for a local database
 * @see https://developers.cloudflare.com/workers/configuration/placement
 */
export const computePlacement = (databaseUrl: string): Placement | undefined => {
  const url = URL.parse(databaseUrl)
  if (!url || isLocal(url.hostname)) return undefined
  const [, region, provider] = url.hostname.match(neonHost) ?? []
  return region ? { region: `${provider}:${region}` } : { host: `${url.hostname}:${url.port || 5432}` }
}

/** The platform's areas for Durable Objects, by the beginning of an AWS region. */
const areas: readonly [prefix: string, hint: string][] = [
  ['us-west-', 'wnam'],
  ['us-', 'enam'],
  ['ca-', 'enam'],
  ['eu-', 'weur'],
  ['sa-', 'sam'],
  ['ap-southeast-2', 'oc'],
  ['ap-southeast-4', 'oc'],
  ['ap-', 'apac'],
  ['af-', 'afr'],
  ['me-', 'me'],
  ['il-', 'me'],
]

/**
 * The area in which a Durable Object is created that talks to the database; an object never moves.
 * @returns undefined when the URL does not contain it: then it is created near the first Worker that uses it
 */
export const computeLocationHint = (databaseUrl: string): string | undefined => {
  const [, region = '', provider] = URL.parse(databaseUrl)?.hostname.match(neonHost) ?? []
  return provider === 'aws' ? areas.find(([prefix]) => region.startsWith(prefix))?.[1] : undefined
}

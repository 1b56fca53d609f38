import { isLoopback } from '#schema/neon/connectNeon.ts'
import { describeError } from '#shared/http/describeError.ts'
import { openPostgres } from '../stack/database/openPostgres.ts'
import { databaseEndpoint } from '../stack/databaseEndpoint.ts'
import { onlyHere, type Place } from './checkReach.ts'
import { type DoctorFinding, wrong } from './finding.ts'

const probeTimeoutMs = 2_000

export type ReachedDatabases = {
  /** the databases that respond: as configured → the connection string for `connectDatabase` */
  urls: ReadonlyMap<string, string>
  findings: DoctorFinding[]
  close: () => Promise<void>
}

/** Databases as the Workers reach them: over Neon's protocol, which a Postgres server has from an endpoint in front of it. */
export const reachDatabases = async (databaseUrls: readonly string[], place: Place): Promise<ReachedDatabases> => {
  const urls = new Map<string, string>()
  const findings: DoctorFinding[] = []
  const undo: (() => Promise<void>)[] = []
  for (const databaseUrl of databaseUrls) {
    if (!URL.canParse(databaseUrl) || (await hasProtocol(databaseUrl))) {
      urls.set(databaseUrl, databaseUrl)
      continue
    }
    const backend = openPostgres(databaseUrl)
    undo.push(backend.close)
    try {
      await backend.run({ query: 'select 1', params: [] })
      const endpoint = await databaseEndpoint({ backend, port: 0 })
      undo.push(endpoint.close)
      urls.set(databaseUrl, endpoint.databaseUrl)
      const remedy = 'Workers on Cloudflare need a database of Neon'
      findings.push(onlyHere(place, `database ${new URL(databaseUrl).hostname}, protocol`, 'no Neon', remedy))
    } catch (error) {
      const remedy = 'set DATABASE_URL to the connection string of Neon, or of a Postgres server for npm run serve'
      findings.push(wrong(`database ${new URL(databaseUrl).hostname}`, describeError(error), remedy))
    }
  }
  return {
    urls,
    findings,
    close: async () => {
      for (let step = undo.pop(); step; step = undo.pop()) await step()
    },
  }
}

/**
 * Runs work on a database of the settings, at Neon or on a Postgres server.
 * @param work takes the connection string for `connectDatabase`
 * @throws Error when the database does not respond
 */
export const useDatabase = async <Result>(
  databaseUrl: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> => {
  const { urls, findings, close } = await reachDatabases([databaseUrl], 'here')
  try {
    const url = urls.get(databaseUrl)
    if (!url) throw new Error(findings.map(({ name, detail }) => `${name}: ${detail}`).join('\n'))
    return await work(url)
  } finally {
    await close()
  }
}

/** Whether a database speaks Neon's protocol: Neon, or the endpoint of a stack. */
const hasProtocol = async (databaseUrl: string): Promise<boolean> => {
  const { host, hostname } = new URL(databaseUrl.replace(/^postgres(ql)?:/, 'http:'))
  if (!isLoopback(databaseUrl)) return hostname.endsWith('.neon.tech')
  const sent = fetch(`http://${host}/sql`, { signal: AbortSignal.timeout(probeTimeoutMs) })
  return sent.then(
    () => true,
    () => false,
  )
}

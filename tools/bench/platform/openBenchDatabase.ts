import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openPglite } from '../../stack/database/openPglite.ts'
import { openPostgres } from '../../stack/database/openPostgres.ts'
import type { SqlBackend } from '../../stack/database/sqlBackend.ts'

export type BenchDatabase = SqlBackend & {
  /** on a server */
  serverUrl?: string
}

/** An empty database: the embedded one in `dir`, or, with `TEST_DATABASE_URL`, a separate one on that server. */
export const openBenchDatabase = async (dir: string): Promise<BenchDatabase> => {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return openPglite(join(dir, 'database'))
  const name = `edgebook_bench_${randomBytes(6).toString('hex')}`
  await runOnServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const backend = openPostgres(url.href)
  return {
    ...backend,
    serverUrl: url.href,
    close: async () => {
      await backend.close()
      await runOnServer(server, `drop database ${name} with (force)`)
    },
  }
}

const runOnServer = async (server: string, query: string): Promise<void> => {
  const backend = openPostgres(server)
  try {
    await backend.run({ query, params: [] })
  } finally {
    await backend.close()
  }
}

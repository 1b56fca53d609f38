import { openPglite } from '#tools/stack/database/openPglite.ts'
import { openPostgres } from '#tools/stack/database/openPostgres.ts'
import type { SqlBackend } from '#tools/stack/database/sqlBackend.ts'
import { createOnServer } from './createOnServer.ts'

/**
 * A database without tables, for a test that changes the schema: on the server of `TEST_DATABASE_URL`, where it costs a
 * twentieth, else PGlite in memory.
 */
export const openEmptyBackend = async (): Promise<SqlBackend> => {
  const server = process.env.TEST_DATABASE_URL
  if (!server) return openPglite()
  const { url, drop } = await createOnServer(server)
  const backend = openPostgres(url)
  return {
    ...backend,
    close: async () => {
      await backend.close()
      await drop()
    },
  }
}

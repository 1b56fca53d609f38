import { Client } from 'pg'
import { expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { createOnServer, type ServerDatabase } from '#test/helpers/database/server/createOnServer.ts'
import { insertHistory } from '#tools/bench/history/insertHistory.ts'
import { connectMigrationSession } from '#tools/migrations/migrationSession.ts'
import { drillRestore } from '#tools/restore/drillRestore.ts'
import { findPostgresPrograms, startCluster } from '#tools/restore/startCluster.ts'
import { compareFacts } from '#tools/restore/tableFacts.ts'
import { migrate } from '#tools/stack/applyMigrations.ts'

const programs = findPostgresPrograms()

test('a copy with other rows, other contents or without a table differs', () => {
  const table = { table: 'orders', rows: 2, digest: 'a' }
  expect(compareFacts([table], [table])).toEqual([])
  expect(compareFacts([table], [{ ...table, rows: 1 }])).toEqual(['orders has 1 rows instead of 2'])
  expect(compareFacts([table], [{ ...table, digest: 'b' }])).toEqual(['orders has other contents'])
  expect(compareFacts([table], [])).toEqual(['orders is missing'])
})

const openSource = async (): Promise<{ database: ServerDatabase; stop: () => Promise<void> }> => {
  const cluster = await startCluster(programs ?? '')
  const database = await createOnServer(cluster.url)
  return { database, stop: cluster.stop }
}

const query = async (url: string, text: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client.query(text).finally(() => client.end())
}

test.skipIf(!programs)(
  'a database restored into a new cluster has all rows and continues its streams',
  { timeout: 300_000 },
  async () => {
    const { database, stop } = await openSource()
    try {
      const session = await connectMigrationSession(database.url)
      await migrate(session).finally(session.close)
      await insertHistory(database.url, networks.sepolia.chainId, 300)
      // the source has counted further than a new cluster will
      await query(database.url, `update order_events set written_by = (8000000000 + id)::text::xid8`)
      const lines: string[] = []
      const drill = { source: database.url, target: undefined, log: (line: string) => lines.push(line) }
      expect(await drillRestore(drill)).toEqual([])
      expect(lines.map((line) => line.replace(/:.*/, ''))).toEqual(
        expect.arrayContaining(['dump', 'restore', 'compare', 'migrate and continue the log', 'read streams']),
      )

      // without the step that continues the log, the drill notices what would be lost
      await query(
        database.url,
        `create or replace function continue_order_log(is_forced boolean default false) returns boolean language sql as 'select false'`,
      )
      const faults = await drillRestore(drill)
      expect(faults).toEqual([
        expect.stringMatching(/reads 0 of 500 restored events/),
        expect.stringMatching(/reads 0 events after the restore instead of 1/),
      ])
      await expect(drillRestore({ ...drill, target: database.url })).rejects.toThrow('not empty')
    } finally {
      await stop()
    }
  },
)

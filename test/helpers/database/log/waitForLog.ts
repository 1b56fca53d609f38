import { sql } from 'drizzle-orm'
import type { Database } from '#schema/client.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'

/** Waits until all written events are readable: transactions of other databases on the same server delay the log, too. */
export const waitForLog = (database: Database): Promise<void> =>
  waitUntil(
    'the log can be read to its end',
    async () => {
      const { rows } = await database.execute(
        sql`select 1 from order_events where written_by >= order_log_position(pg_snapshot_xmin(pg_current_snapshot())) limit 1`,
      )
      return rows.length === 0
    },
    { timeoutMs: 45_000, intervalMs: 20 },
  )

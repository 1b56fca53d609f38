import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { notifications } from '../../tables/notifications/notifications.ts'

/** Retracts notifications of blocks from `fromBlock` on, unless the chain repeats them. */
export const retractNotifications = (database: Database, chainId: number, fromBlock: number) =>
  database
    .update(notifications)
    .set({ retractedAt: sql`now()`, revision: sql`${notifications.revision} + 1` })
    .where(
      and(
        eq(notifications.chainId, chainId),
        gte(notifications.blockNumber, fromBlock),
        isNull(notifications.retractedAt),
      ),
    )

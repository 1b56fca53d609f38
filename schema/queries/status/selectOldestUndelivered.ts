import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { deliveries } from '../../tables/notifications/deliveries.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { ageInSeconds } from '../fragments/ageInSeconds.ts'
import { selectObject } from './selectObject.ts'

/** Age in seconds of the oldest undelivered notification; null without one. */
export const selectOldestUndelivered = (database: Database, chainId: number): Promise<number | null> =>
  selectObject(database, sql`${oldestUndelivered(chainId)}::integer`)

/** Age in seconds of the oldest undelivered notification, as SQL. */
export const oldestUndelivered = (chainId: number): SQL => sql`(
  select ${ageInSeconds(sql`min(created_at)`)} from (${selectUndelivered(chainId)}) as undelivered)`

/** Deliveries in progress, and notifications without deliveries yet. */
const selectUndelivered = (chainId: number): SQL => sql`
  select d.created_at from ${deliveries} as d
  join ${notifications} as n on n.id = d.notification_id
  where d.state = 'pending' and n.chain_id = ${chainId}
  union all
  select created_at from ${notifications}
  where chain_id = ${chainId} and dispatched_revision < revision and dispatched_revision = 0`

import type { BatchItem } from 'drizzle-orm/batch'
import { toChunks } from '#shared/toChunks.ts'
import type { Database } from '../../client.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { orders } from '../../tables/orders/orders.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import type { ChainEvents } from './chainUpdate.ts'

/** Rows of one statement, to stay below Postgres' 65,535 parameters. */
const maxRows = 2_000

/** Statements that add the events of the settlement contract. */
export const insertEvents = (database: Database, chainId: number, events: ChainEvents): BatchItem<'pg'>[] => {
  const inChunks = <Row extends object>(
    rows: Row[],
    insert: (rows: (Row & { chainId: number })[]) => BatchItem<'pg'>,
  ): BatchItem<'pg'>[] => toChunks(rows, maxRows).map((chunk) => insert(chunk.map((row) => ({ chainId, ...row }))))
  return [
    ...inChunks(events.settlements, (rows) => database.insert(settlements).values(rows).onConflictDoNothing()),
    ...inChunks(events.trades, (rows) => database.insert(trades).values(rows).onConflictDoNothing()),
    ...inChunks(events.invalidations, (rows) => database.insert(invalidations).values(rows).onConflictDoNothing()),
    ...inChunks(events.presignatures, (rows) => database.insert(presignatures).values(rows).onConflictDoNothing()),
    ...inChunks(events.executions, (rows) => database.insert(executions).values(rows).onConflictDoNothing()),
    ...inChunks(events.jitOrders, (rows) => database.insert(orders).values(rows).onConflictDoNothing()),
  ]
}

import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import type { Database } from '../../client.ts'
import { solverSuspensions } from '../../tables/settlements/solverSuspensions.ts'
import { selectObject } from './selectObject.ts'

/** A suspension that has not ended, and its solver. */
export type CurrentSuspension = { address: Address } & NonNullable<NetworkStatus['solvers'][number]['suspension']>

/** The newest suspension of each solver that has not ended, as JSON. */
export const suspensionsOf = (chainId: number): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('address', '0x' || encode(s.solver, 'hex'),
    'from', ${toIso(sql`s."from"`)}, 'until', ${toIso(sql`s.until`)}, 'reason', s.reason, 'failures', s.failures)
    order by s.solver), '[]')
  from (
    select distinct on (solver) * from ${solverSuspensions} where chain_id = ${chainId} and until > now()
    order by solver, auction_id desc) as s)`

/** The newest suspension of each solver that has not ended. */
export const selectSuspensions = (database: Database, chainId: number): Promise<CurrentSuspension[]> =>
  selectObject(database, suspensionsOf(chainId))

const toIso = (time: SQL): SQL => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

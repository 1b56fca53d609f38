import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import type { Database } from '../../client.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { solverSuspensions } from '../../tables/settlements/solverSuspensions.ts'
import { toIsoTime } from '../fragments/toIsoTime.ts'
import { maxAttempts } from '../settlements/solverSuspensions.ts'
import { selectObject } from './selectObject.ts'

/** A suspension that has not ended, and its solver. */
export type CurrentSuspension = { address: Address } & NonNullable<NetworkStatus['solvers'][number]['suspension']>

/** The newest suspension of each solver that has not ended, as JSON. */
export const suspensionsOf = (chainId: number): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('address', '0x' || encode(s.solver, 'hex'),
    'from', ${toIsoTime(sql`s."from"`)}, 'until', ${toIsoTime(sql`s.until`)}, 'reason', s.reason, 'failures', s.failures,
    'attempts', ${faultsOf(chainId)})
    order by s.solver), '[]')
  from (
    select distinct on (solver) * from ${solverSuspensions} where chain_id = ${chainId} and until > now()
    order by solver, auction_id desc) as s)`

/** The attempts that suspension `s` judged, and for which its solver is to blame: newest first, as JSON. */
const faultsOf = (chainId: number): SQL => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('auctionId', a.auction_id, 'outcome', a.outcome,
    'reason', a.blame->>'reason', 'debt', a.blame->>'debt') order by a.auction_id desc, a.solution_uid), '[]')
  from (
    select * from ${settlementAttempts}
    where chain_id = ${chainId} and solver = s.solver and outcome is not null and auction_id <= s.auction_id
      and auction_id > coalesce((select max(auction_id) from ${solverSuspensions}
        where chain_id = ${chainId} and solver = s.solver and auction_id < s.auction_id), -1)
    order by auction_id desc, solution_uid limit ${maxAttempts}) as a
  where a.blame->>'party' = 'solver' and (a.outcome = 'mismatch' or a.ended_at > s."from" - interval '1 hour'))`

/** The newest suspension of each solver that has not ended. */
export const selectSuspensions = (database: Database, chainId: number): Promise<CurrentSuspension[]> =>
  selectObject(database, suspensionsOf(chainId))

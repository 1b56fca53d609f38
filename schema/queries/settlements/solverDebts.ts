import { type SQL, sql } from 'drizzle-orm'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'

/** After this many days no more than 2⁻⁶⁴ of a debt is left. */
const rememberedDays = 64

/**
 * Unpaid debts as a subquery with the columns `solver` and `debt`, wei: what settlements paid less than promised. Time
 * alone repays: half of each debt is forgotten per day, as one doubling of a suspension is.
 */
export const solverDebts = (chainId: number): SQL => sql`(
  select solver, coalesce(floor(sum((blame->>'debt')::numeric / power(2::numeric, ${ageInDays}))), 0) as debt from ${settlementAttempts}
  where chain_id = ${chainId} and outcome = 'mismatch' and ended_at > now() - make_interval(days => ${rememberedDays})
  group by solver)`

const ageInDays = sql`greatest(0, floor(extract(epoch from now() - ended_at) / 86400))`

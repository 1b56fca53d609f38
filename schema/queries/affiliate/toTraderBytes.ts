import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { referredHours } from '../../tables/affiliate/referredHours.ts'

/** The address of a trader as `bytea`. */
export const toTraderBytes = (trader: Address): SQL => sql`${sql.param(trader, referredHours.trader)}::bytea`

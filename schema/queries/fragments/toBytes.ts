import { type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'

/** A parameter as `bytea`. */
export const toBytes = (hex: Hex): SQL => sql`decode(${hex.slice(2)}, 'hex')`

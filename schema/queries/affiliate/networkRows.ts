import { type SQL, sql } from 'drizzle-orm'
import { networks } from '#shared/networks.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'

/** Networks as rows `chain_id, wrapped_native`. */
export const networkRows: SQL = sql`(values ${sql.join(
  Object.values(networks).map(({ chainId, wrappedNative }) =>
    sql.raw(`(${chainId}, '\\x${wrappedNative.slice(2)}'::bytea)`),
  ),
  sql`, `,
)})`

/** The native token of a network, as price samples have it: its wrapped form. */
export const nativeOf = (chainId: number): SQL => {
  const wrapped = Object.values(networks).find((network) => network.chainId === chainId)?.wrappedNative ?? null
  return sql`${sql.param(wrapped, priceSamples.token)}`
}

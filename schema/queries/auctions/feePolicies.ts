import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'

/** A fee policy of an order in an auction. */
export type FeePolicyRow = Omit<typeof feePolicies.$inferInsert, 'chainId' | 'auctionId'>

/** Stores the fee policies of an auction's orders as one parameter. */
export const insertFeePolicies = (
  database: Database,
  chainId: number,
  auctionId: number,
  policies: readonly FeePolicyRow[],
) => {
  const rows = policies.map((policy) => ({ ...policy, orderUid: policy.orderUid.slice(2) }))
  return database.execute(sql`
    insert into ${feePolicies} (chain_id, auction_id, order_uid, application_order, kind, surplus_factor,
      surplus_max_volume_factor, volume_factor, price_improvement_factor, price_improvement_max_volume_factor)
    select ${chainId}::integer, ${auctionId}::bigint, decode(p."orderUid", 'hex'), p."applicationOrder",
      p.kind::fee_policy_kind, p."surplusFactor", p."surplusMaxVolumeFactor", p."volumeFactor", p."priceImprovementFactor",
      p."priceImprovementMaxVolumeFactor"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p(
      "orderUid" text, "applicationOrder" integer, kind text, "surplusFactor" double precision,
      "surplusMaxVolumeFactor" double precision, "volumeFactor" double precision,
      "priceImprovementFactor" double precision, "priceImprovementMaxVolumeFactor" double precision
    )`)
}

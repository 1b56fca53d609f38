import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'
import { nativeOf } from './networkRows.ts'

/**
 * Samples of a network's native token, the oldest first, as JSON text.
 * @param after time of the newest copied sample, as text; null: none
 */
export const selectSamplesToCarry = async (
  database: Database,
  chainId: number,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ samples: string; count: number }> => {
  const { rows } = await database.execute<{ samples: string; count: number }>(sql`
    select coalesce(jsonb_agg(to_jsonb(s)), '[]')::text as samples, count(*)::integer as count from (
      select * from ${priceSamples} where chain_id = ${chainId} and token = ${nativeOf(chainId)}
        and sampled_at > coalesce(${after}::timestamptz, '-infinity')
      order by sampled_at limit ${limit}
    ) as s`)
  return rows[0] ?? { samples: '[]', count: 0 }
}

/** Time of the newest copied sample, as text. */
export const selectNewestSample = async (database: Database, chainId: number): Promise<string | null> => {
  const { rows } = await database.execute<{ sampled_at: string }>(sql`
    select sampled_at::text as sampled_at from ${priceSamples} where chain_id = ${chainId} and token = ${nativeOf(chainId)}
    order by price_samples.sampled_at desc limit 1`)
  return rows[0]?.sampled_at ?? null
}

export const insertCarriedSamples = (database: Database, chainId: number, samples: string) =>
  database.execute(sql`
    insert into ${priceSamples}
    select r.* from jsonb_populate_recordset(null::${priceSamples}, ${samples}::jsonb) as r
    where r.chain_id = ${chainId}
    on conflict do nothing`)

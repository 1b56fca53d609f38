import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { conditionalParts } from '../../tables/orders/conditionalParts.ts'
import { orders } from '../../tables/orders/orders.ts'
import type { ConditionalKey } from './selectDue.ts'

/** Makes a stored order a part of a conditional order; nothing without the order. */
export const insertPart = (
  database: Database,
  chainId: number,
  { owner, hash }: ConditionalKey,
  { uid, placedBlock }: { uid: Hex; placedBlock: number },
) =>
  database.execute(sql`
    insert into ${conditionalParts} (chain_id, order_uid, owner, hash, placed_block)
    select chain_id, uid, decode(${owner.slice(2)}, 'hex'), decode(${hash.slice(2)}, 'hex'), ${placedBlock}::bigint
    from ${orders} where chain_id = ${chainId} and uid = decode(${uid.slice(2)}, 'hex')
    on conflict do nothing`)

/** Buy amounts of the first parts of conditional orders, atoms, in the order of `keys`; undefined without a part. */
export const selectFirstAmounts = async (
  database: Database,
  chainId: number,
  keys: readonly ConditionalKey[],
): Promise<(bigint | undefined)[]> => {
  const list = keys.map(({ owner, hash }, place) => ({ place, owner: owner.slice(2), hash: hash.slice(2) }))
  const { rows } = await database.execute<{ place: number; amount: string }>(sql`
    select wanted.place, first.buy_amount::text as amount
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as wanted(place integer, owner text, hash text)
    cross join lateral (
      select o.buy_amount from ${conditionalParts} as p
      join ${orders} as o on o.chain_id = p.chain_id and o.uid = p.order_uid
      where p.chain_id = ${chainId} and p.owner = decode(wanted.owner, 'hex') and p.hash = decode(wanted.hash, 'hex')
      order by p.placed_block, p.order_uid limit 1
    ) as first`)
  const found = new Map(rows.map(({ place, amount }) => [place, BigInt(amount)]))
  return keys.map((_, place) => found.get(place))
}

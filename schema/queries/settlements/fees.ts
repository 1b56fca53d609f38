import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'

/** Recorded fees of one recipient in one token; `account` is null for the protocol. */
export type RecordedFee = {
  party: 'protocol' | 'partner' | 'solver'
  account: Address | null
  token: Address
  /** atoms */
  amount: bigint
}

/** Times of blocks, `from` included, `until` not. */
export type FeePeriod = { from: Date; until: Date }

/**
 * Recorded fees of the settlements of a period. Of an order's fees, which its price contains, the last ones are those of its
 * partners, one for each in the order of its document; the others are the protocol's. A solver's are the signed fees of the
 * orders that it settled, and the network fees in their prices: what the price contains beyond the other fees, these converted at the
 * price of the trade and rounded up, so that a solver's share is rounded down.
 */
export const selectRecordedFees = async (
  database: Database,
  chainId: number,
  { from, until }: FeePeriod,
): Promise<RecordedFee[]> => {
  const { rows } = await database.execute<{
    party: RecordedFee['party']
    account: Hex | null
    token: Hex
    amount: string
  }>(sql`
    with settled as (
      select s.auction_id, s.solver, t.order_uid, t.sell_token, sum(t.sell_amount) as sold, sum(t.buy_amount) as bought,
        sum(t.fee_amount) as signed
      from ${settlements} as s
      join ${trades} as t on t.chain_id = s.chain_id and t.block_number = s.block_number
        and t.settlement_log_index = s.log_index
      where s.chain_id = ${chainId} and s.settled_at >= ${from.toISOString()}::timestamptz
        and s.settled_at < ${until.toISOString()}::timestamptz and s.auction_id is not null
      group by s.auction_id, s.solver, t.order_uid, t.sell_token
    ), charged as (
      select d.*, x.executed_fee, x.protocol_fees, coalesce(o.partner_fees, '[]') as partner_fees
      from settled as d
      join ${executions} as x on x.chain_id = ${chainId} and x.auction_id = d.auction_id and x.order_uid = d.order_uid
      left join ${orders} as o on o.chain_id = ${chainId} and o.uid = d.order_uid
    ), listed as (
      select c.auction_id, c.solver, c.order_uid, fee.value ->> 'token' as token, (fee.value ->> 'amount')::numeric as amount,
        c.partner_fees -> (fee.position - 1 - jsonb_array_length(c.protocol_fees) + jsonb_array_length(c.partner_fees))::integer
          ->> 'recipient' as recipient,
        fee.position > jsonb_array_length(c.protocol_fees) - jsonb_array_length(c.partner_fees) as is_partner
      from charged as c
      cross join jsonb_array_elements(c.protocol_fees) with ordinality as fee(value, position)
    ), parts as (
      select case when is_partner then 'partner' else 'protocol' end as party,
        case when is_partner then lower(recipient) end as account, token, amount
      from listed
      union all
      select 'solver', '0x' || encode(solver, 'hex'), '0x' || encode(sell_token, 'hex'), signed from charged
      union all
      select 'solver', '0x' || encode(c.solver, 'hex'), '0x' || encode(c.sell_token, 'hex'), greatest(0, c.executed_fee - coalesce((
        select sum(case when l.token = '0x' || encode(c.sell_token, 'hex') then l.amount
          else ceil(l.amount * c.sold / nullif(c.bought, 0)) end)
        from listed as l
        where l.auction_id = c.auction_id and l.solver = c.solver and l.order_uid = c.order_uid), 0))
      from charged as c
    )
    select party, account, token, sum(amount)::text as amount from parts
    group by party, account, token having sum(amount) > 0
    order by token, party, account`)
  return rows.map((row) => ({ ...row, account: row.account, amount: BigInt(row.amount) }))
}

/** Transactions of settlements without a trade and without an auction, as `npm run fees -- pay` sends them. */
export const selectTradelessSettlements = async (
  database: Database,
  chainId: number,
  { from, until }: FeePeriod,
): Promise<Hex[]> => {
  const { rows } = await database.execute<{ hash: Hex }>(sql`
    select distinct '0x' || encode(s.transaction_hash, 'hex') as hash from ${settlements} as s
    where s.chain_id = ${chainId} and s.settled_at >= ${from.toISOString()}::timestamptz
      and s.settled_at < ${until.toISOString()}::timestamptz and s.auction_id is null and not exists (
        select from ${trades} as t where t.chain_id = ${chainId} and t.block_number = s.block_number
          and t.settlement_log_index = s.log_index)`)
  return rows.map(({ hash }) => hash)
}

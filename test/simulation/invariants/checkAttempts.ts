import type { Hex } from 'viem'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

const toUid = (bytes: string | null | undefined): Hex => `0x${(bytes ?? '').replace(/^\\x/, '')}`

/**
 * An order is awarded to one solver at a time, and after n failures because of it, it waits 2ⁿ⁻¹ blocks, at most 64. A failure in a
 * replaced block counts from the block before (`lowerFailureBlocks`), so those are left out. A fill resolves the failures
 * before it, also when a reorganisation undoes it later.
 */
export const checkAttempts = async ({ database, weather }: World): Promise<void> => {
  const [double] = await database.read(
    `select o.order_uid, count(*) as attempts from settlement_attempts a
      join solution_orders o using (chain_id, auction_id, solution_uid)
      where a.outcome is null group by o.order_uid having count(*) > 1 limit 1`,
  )
  if (double) throw new Violation('awarded once', `${double.attempts} attempts run at once`, toUid(double.order_uid))
  const [hasty] = await database.read(
    `with failed as (
        select o.order_uid, a.auction_id, a.solution_uid, least(a.end_block, a.deadline_block) as at,
          count(*) over (partition by o.order_uid order by a.auction_id) as failures
        from settlement_attempts a join solution_orders o using (chain_id, auction_id, solution_uid)
        where starts_with(a.outcome, 'driver failed:') and a.blame->'orders' ? ('0x' || encode(o.order_uid, 'hex')) and a.undone_from is null
          and not exists (select from trades t where t.order_uid = o.order_uid)
          and not exists (
            select from settlement_attempts filled join solution_orders fo using (chain_id, auction_id, solution_uid)
            where fo.order_uid = o.order_uid and filled.undone_from is not null and filled.auction_id > a.auction_id)
      )
      select f.order_uid, f.at, f.failures, u.block from failed f
      join solution_orders o on o.order_uid = f.order_uid and o.auction_id > f.auction_id
      join settlement_attempts a on a.auction_id = o.auction_id and a.solution_uid = o.solution_uid
      join auctions u on u.id = o.auction_id
      where u.block < f.at + least(64, power(2, f.failures - 1)) and not exists (
        select from json_to_recordset($1::json) as r ("from" bigint, "to" bigint) where f.at between r."from" and r."to")
      limit 1`,
    [JSON.stringify(weather.replaced)],
  )
  if (hasty)
    throw new Violation(
      'back-off',
      `awarded at ${hasty.block} after ${hasty.failures} failures, the last at ${hasty.at}`,
      toUid(hasty.order_uid),
    )
}

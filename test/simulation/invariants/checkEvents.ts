import type { Hex } from 'viem'
import type { Block } from '../chain/createChain.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** blocks between two checks */
const interval = 10
/** rows of auction outcomes of one order in an hour; one more after each other event, such as an attempt */
const mostOutcomes = 12

/** The log of an order has a bounded number of auction outcomes, however often a stranger changes them. */
export const checkEvents = async ({ database }: Pick<World, 'database'>, block: Block): Promise<void> => {
  if (block.number % interval !== 0) return
  const [first] = await database.read(
    `select order_uid, outcomes, others from (
        select order_uid, count(*) filter (where is_outcome) as outcomes, count(*) filter (where not is_outcome) as others
        from (
          select order_uid, label in ('ready', 'filtered', 'invalid', 'considered') as is_outcome from order_events
          where created_at > now() - interval '1 hour'
        ) as e group by order_uid
      ) as counts
      where outcomes > ${mostOutcomes} + others order by order_uid limit 1`,
  )
  if (!first) return
  const uid: Hex = `0x${first.order_uid?.slice(2)}`
  throw new Violation('events', `${first.outcomes} auction outcomes beside ${first.others} other events`, uid)
}

import type { Hex } from 'viem'
import type { AvailableBalance } from '#schema/queries/auctions/availableBalances.ts'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { computeUsable } from '#shared/orders/computeUsable.ts'
import type { HeldFunds } from './funds/balanceCache.ts'
import { unknownFunds } from './funds/balanceCache.ts'
import { toHoldingKey } from './funds/toHoldingKey.ts'

/** Maximum number of rows written per cut, also when balances change with every block. */
const maxChanged = 500

/**
 * Orders whose usable funds differ from the stored value. Beyond 500 the block number determines which come first, so
 * that each is updated eventually.
 * @param candidates orders whose funds were looked up
 * @param funds sell token atoms, by `toHoldingKey`
 * @param fundsAfterHooks the same for orders with pre-interactions, by UID
 */
export const computeAvailable = (
  candidates: readonly Candidate[],
  funds: ReadonlyMap<string, HeldFunds>,
  fundsAfterHooks: ReadonlyMap<Hex, HeldFunds>,
  block: number,
): AvailableBalance[] => {
  const changed = candidates.flatMap(({ order }) => {
    const { uid, owner, sellToken: token } = order
    const known = fundsAfterHooks.get(uid) ?? funds.get(toHoldingKey({ owner, token }))
    if (!known || known === unknownFunds) return []
    const available = computeUsable(order, minOf(known.balance, known.allowance))
    return available === order.availableBalance ? [] : [{ uid, available }]
  })
  if (changed.length <= maxChanged) return changed
  const start = (block * maxChanged) % changed.length
  return [...changed.slice(start), ...changed.slice(0, start)].slice(0, maxChanged)
}

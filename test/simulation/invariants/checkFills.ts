import type { Hex } from 'viem'
import { poolMoverAddress } from '../actors/createPoolMover.ts'
import { toFilledKey } from '../chain/contracts/settlementCode.ts'
import type { Block } from '../chain/createChain.ts'
import { pools } from '../market.ts'
import { isFillable, isUnfunded } from '../oracle/isFillable.ts'
import type { PlacedOrder, World } from '../world.ts'
import { Violation } from './violation.ts'

/**
 * calm blocks within which a fillable order of a certain class must be filled, whatever strangers place and sign; one more for each
 * trade of strangers on the pools, and one for each block in which the pool mover moves them and returns them
 */
const boundCertain = 5
/** the same for other orders, which follow the certain ones of their pair, and after trades of strangers on the pools */
const boundUncertain = 8
/** of one order after a failure */
const longestDelay = 64
/** calm blocks where solvers win and do not settle: until enough of their failures suspend them */
const boundWithBadSolvers = 36

/** ECDSA signature and no hooks, as in `computeCertainty` of the service. */
const isCertain = ({ scheme, hook }: PlacedOrder): boolean => scheme === 'eip712' && hook === undefined

/**
 * An honest order that the oracle calls fillable in several consecutive blocks is filled, or a part of it. Blocks count
 * while the service and its node, database and processes work: a disturbance stops the count.
 * @returns a check for each block
 */
export const createFillCheck = (world: World) => {
  const waiting = new Map<Hex, { since: number; filled: bigint; blocks: number; moves: number; returns: number }>()
  /** orders whose owners took the funds away: a settlement may have failed because of them */
  const lapsed = new Set<Hex>()
  const computeBound = (order: PlacedOrder, moves: number, returns: number): number => {
    if (world.hasBadSolvers) return boundWithBadSolvers
    if (lapsed.has(order.uid)) return boundUncertain + (moves + returns > 0 ? longestDelay : 0)
    if (isCertain(order)) return Math.min(boundCertain + moves, boundUncertain) + returns
    return boundUncertain + (returns > 0 ? longestDelay : 0)
  }
  return (block: Block): void => {
    const { chain, orders, weather } = world
    const isCalm = block.number > weather.disturbedAt
    const swaps = block.receipts.filter(({ transaction }) => pools.some(({ address }) => address === transaction.to))
    const isReturned = swaps.some(({ transaction }) => transaction.from === poolMoverAddress)
    const isMoved = !isReturned && swaps.length > 0
    for (const [uid, order] of orders) {
      const filled = chain.store.get(toFilledKey(uid))
      const known = waiting.get(uid)
      if (known && known.filled !== filled) world.log('waited', { uid, trader: order.trader, blocks: known.blocks })
      if (!isFillable(world, order, block)) {
        waiting.delete(uid)
        if (isUnfunded(chain, order)) lapsed.add(uid)
        continue
      }
      const isSame = known?.filled === filled
      const blocks = isSame ? known.blocks + (isCalm ? 1 : 0) : 0
      const moves = isSame ? known.moves + (isMoved ? 1 : 0) : 0
      const since = isSame ? known.since : block.number
      const returns = isSame ? known.returns + (isReturned ? 1 : 0) : 0
      waiting.set(uid, { since, filled, blocks, moves, returns })
      if (blocks > computeBound(order, moves, returns))
        throw new Violation('fills', `fillable since block ${since}, not filled in ${blocks} calm blocks`, uid)
    }
  }
}

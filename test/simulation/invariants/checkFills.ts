import type { Hex } from 'viem'
import { toFilledKey } from '../chain/contracts/settlementCode.ts'
import type { Block } from '../chain/createChain.ts'
import { isFillable } from '../oracle/isFillable.ts'
import type { World } from '../world.ts'
import { Violation } from './violation.ts'

/** calm blocks within which a fillable order must be filled */
const boundBlocks = 8
/** the same where solvers win and do not settle: until enough of their failures suspend them */
const boundWithBadSolvers = 36

/**
 * An honest order that the oracle calls fillable in several consecutive calm blocks is filled, or a part of it.
 * @returns a check for each block
 */
export const createFillCheck = (world: World) => {
  const bound = world.hasBadSolvers ? boundWithBadSolvers : boundBlocks
  const waiting = new Map<Hex, { since: number; filled: bigint }>()
  return (block: Block): void => {
    const { chain, orders, weather } = world
    for (const [uid, order] of orders) {
      const filled = chain.store.get(toFilledKey(uid))
      const known = waiting.get(uid)
      const isCalm = block.number > weather.disturbedAt
      if (!isCalm || !isFillable(world, order, block)) {
        waiting.delete(uid)
        continue
      }
      if (!known || known.filled !== filled) waiting.set(uid, { since: block.number, filled })
      else if (block.number - known.since > bound)
        throw new Violation('fills', `fillable since block ${known.since}, not filled at ${block.number}`, uid)
    }
  }
}

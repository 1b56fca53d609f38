import type { Address } from 'viem'
import type { Batch } from '../batches/batch.ts'
import { buildSolution, type Solution } from './buildSolution.ts'

/** maximum orders per settlement */
const maxOrders = 40

/**
 * Builds one solution that settles as many compatible batches as possible in one transaction, in addition to the
 * solutions of single batches. Batches are compatible when they use different pools, so that each has the same result
 * as alone and the joint solution is equally fair to every pair, and when one price per token fits all of them. The
 * auction selects the joint solution, or single ones where other solvers are better.
 * @param batches best first
 * @returns undefined when no two batches are compatible
 */
export const buildJointSolution = (batches: readonly Batch[], wrappedNative: Address): Solution | undefined => {
  let joint: Solution | undefined
  for (const batch of batches) {
    const taken = joint?.batches ?? []
    if ([...taken, batch].reduce((sum, { fills }) => sum + fills.length, 0) > maxOrders) continue
    if (taken.some((other) => sharesPool(other, batch) || sharesOrder(other, batch))) continue
    joint = buildSolution([...taken, batch], wrappedNative) ?? joint
  }
  return joint && joint.batches.length > 1 ? joint : undefined
}

/** Whether two batches trade with the same pool. */
export const sharesPool = (a: Batch, b: Batch): boolean =>
  a.route.hops.some(({ pool }) => b.route.hops.some((hop) => hop.pool.address === pool.address))

const sharesOrder = (a: Batch, b: Batch): boolean =>
  a.fills.some(({ order }) => b.fills.some((fill) => fill.order.uid === order.uid))

import type { Address } from 'viem'
import type { Batch } from '../batches/buildBatch.ts'
import { buildSolution, type Solution } from './buildSolution.ts'

/** orders that one settlement may hold */
const maxOrders = 40

/**
 * One solution that settles as many of the batches as go together in one transaction, beside the solutions of single
 * batches. Batches go together when none of them moves the other's pools, so that each gets what it gets alone and the
 * joint solution is as fair to every pair as the single ones, and when one price per token serves them all. The auction
 * takes the joint solution, or those single ones where no other solver is better.
 * @param batches best first
 * @returns undefined when no two batches go together
 */
export const buildJointSolution = (batches: readonly Batch[], wrappedNative: Address): Solution | undefined => {
  let joint: Solution | undefined
  for (const batch of batches) {
    const taken = joint?.batches ?? []
    if (countOrders([...taken, batch]) > maxOrders) continue
    if (taken.some((other) => sharesPool(other, batch) || sharesOrder(other, batch))) continue
    joint = buildSolution([...taken, batch], wrappedNative) ?? joint
  }
  return joint && joint.batches.length > 1 ? joint : undefined
}

const countOrders = (batches: Batch[]): number => batches.reduce((sum, { fills }) => sum + fills.length, 0)

const sharesPool = (a: Batch, b: Batch): boolean =>
  a.route.hops.some(({ pool }) => b.route.hops.some((hop) => hop.pool === pool))

const sharesOrder = (a: Batch, b: Batch): boolean =>
  a.fills.some(({ order }) => b.fills.some((fill) => fill.order.uid === order.uid))

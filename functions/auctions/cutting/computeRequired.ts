import type { Candidate } from '#schema/queries/auctions/solvableOrders.ts'
import { computeLent } from '#shared/orders/verdict/computeLent.ts'
import { computeNeeded } from '#shared/orders/verdict/computeNeeded.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'

/**
 * What a driver must support to settle an order: wrappers that may not be left out, and a loan without which the owner cannot pay.
 * @param balance sell token atoms that the owner has without a loan; undefined: not looked up
 */
export const computeRequired = ({ order, funding }: Candidate, balance: bigint | undefined): SolverFeature[] => {
  if (!funding) return []
  const lent = computeLent(order, funding)
  const isLoanNeeded = lent > 0n && (balance ?? 0n) < computeNeeded(order)
  const isWrapped = funding.wrappers.some(({ isOmittable }) => !isOmittable)
  return [...(isLoanNeeded ? (['flashloans'] as const) : []), ...(isWrapped ? (['wrappers'] as const) : [])]
}

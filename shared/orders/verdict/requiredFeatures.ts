import type { Address } from 'viem'
import type { ParsedAppData } from '../../appData/parseAppData.ts'
import type { SolverFeature } from '../../solvers/solverList.ts'
import { computeLent, computeRequiredFunds } from './requiredFunds.ts'

/**
 * Capabilities that a driver needs to settle an order: to encode a signed fee, which drivers of the public system
 * encode as 0, required wrappers, and a loan if the owner's funds are insufficient without it.
 * @param funding of the order's document; null: it has neither loan nor wrapper
 * @param balance owner's sell token atoms without a loan; undefined: unknown
 */
export const computeRequiredFeatures = (
  order: {
    owner: Address | null
    sellToken: Address
    sellAmount: bigint
    feeAmount: bigint
    partiallyFillable: boolean
  },
  funding: Pick<ParsedAppData, 'flashloan' | 'wrappers'> | null,
  balance: bigint | undefined,
): SolverFeature[] => {
  const fees = order.feeAmount > 0n ? (['signedFees'] as const) : []
  if (!funding) return [...fees]
  const lent = computeLent(order, funding)
  const isLoanNeeded = lent > 0n && (balance ?? 0n) < computeRequiredFunds(order)
  const isWrapped = funding.wrappers.some(({ isOmittable }) => !isOmittable)
  return [...fees, ...(isLoanNeeded ? (['flashloans'] as const) : []), ...(isWrapped ? (['wrappers'] as const) : [])]
}

import { maxOf } from '#shared/amounts/minMax.ts'
import type { EstimateConfirmation } from '../verification/verifyEstimate.ts'

/**
 * Gas of an estimate: the larger of what a simulation measured and what the solver states, because the solver charges
 * what it states, and a smaller quote would promise more than it delivers. Hooks count with their whole gas limit,
 * because they may use all of it in the settlement.
 * @returns gas units; undefined when neither is known
 */
export const computeEstimateGas = (
  saidGas: bigint | undefined,
  hookGas: bigint,
  verification: EstimateConfirmation,
): bigint | undefined => {
  const measured = verification.status === 'passed' ? verification.gasUsed : undefined
  const reserved = saidGas ?? measured
  if (reserved === undefined) return undefined
  return maxOf(reserved + hookGas, measured ?? 0n)
}

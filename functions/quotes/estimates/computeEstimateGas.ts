import type { EstimateConfirmation } from '../verification/verifyEstimate.ts'

/**
 * Gas of an estimate: measured when a simulation confirmed the offer, otherwise as the solver states it. Hooks count
 * with their whole gas limit, because they may use all of it in the settlement.
 * @returns gas units; undefined when neither is known
 */
export const computeEstimateGas = (
  saidGas: bigint | undefined,
  hookGas: bigint,
  verification: EstimateConfirmation,
): bigint | undefined => {
  if (verification.status !== 'passed') return saidGas === undefined ? undefined : saidGas + hookGas
  const { gasUsed } = verification
  if (hookGas === 0n) return gasUsed
  const reserved = (saidGas ?? gasUsed) + hookGas
  if (reserved > gasUsed) return reserved
  return gasUsed
}

import type { Confirmation } from '../verification/verifyEstimate.ts'

/**
 * Gas is what a simulation measured, when it confirmed the offer, else what the solver says. Hooks are paid for by what they
 * reserve: they may use all of it when the order is settled, whatever they used in the simulation.
 * @returns gas units; undefined when nobody knows
 */
export const computeEstimateGas = (
  saidGas: bigint | undefined,
  hookGas: bigint,
  verification: Confirmation,
): bigint | undefined => {
  if (verification.status !== 'passed') return saidGas === undefined ? undefined : saidGas + hookGas
  const { gasUsed } = verification
  if (hookGas === 0n) return gasUsed
  const reserved = (saidGas ?? gasUsed) + hookGas
  if (reserved > gasUsed) return reserved
  return gasUsed
}

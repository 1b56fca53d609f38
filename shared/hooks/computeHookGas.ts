import type { Hook, Hooks } from '../appData/parseAppData.ts'

/** gas of calling the trampoline, measured */
const callGas = 8_000n
/** gas of passing one hook to the trampoline and calling its target, without its own calldata */
const hookGas = 5_000n
/** gas of a byte of calldata that is not zero, paid once for the transaction and once more when it is copied */
const byteGas = 20n

/**
 * Gas of the hooks of an order within a settlement. Hooks may use their full gas limits, and the trampoline requires them,
 * so the solver has to reserve and pay the limits.
 * @returns gas units; 0 without hooks
 */
export const computeHookGas = ({ pre, post }: Hooks): bigint => computePhaseGas(pre) + computePhaseGas(post)

const computePhaseGas = (hooks: readonly Hook[]): bigint =>
  hooks.length === 0 ? 0n : hooks.reduce((gas, hook) => gas + computeGas(hook), callGas)

const computeGas = ({ callData, gasLimit }: Hook): bigint =>
  gasLimit + hookGas + (byteGas * BigInt(callData.length - 2)) / 2n

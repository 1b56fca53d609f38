import type { Hooks } from './parseAppData.ts'

/** @returns gas units that all hooks of an order may use together, which whoever settles it has to reserve */
export const computeHookGas = ({ pre, post }: Hooks): bigint =>
  [...pre, ...post].reduce((gas, { gasLimit }) => gas + gasLimit, 0n)

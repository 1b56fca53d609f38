import type { Hex } from 'viem'
import { computeHookGas } from './computeHookGas.ts'
import { decodeHooks } from './readHooks.ts'

/** gas of a call that runs no hooks: an on-chain order's contract wraps the ether it holds */
const plainGas = 60_000n

/** @returns gas units that an order's own calls take from whoever settles it */
export const computeInteractionGas = (interactions: readonly { callData: Hex }[]): bigint =>
  interactions.reduce((gas, { callData }) => {
    const hooks = decodeHooks(callData)
    return gas + (hooks ? computeHookGas({ pre: hooks, post: [] }) : plainGas)
  }, 0n)

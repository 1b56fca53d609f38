import type { Hex } from 'viem'
import { computeHookGas } from './computeHookGas.ts'
import { decodeHooks } from './readHooks.ts'

/** gas of a call that runs no hooks: an on-chain order's contract wraps the ether it holds */
const plainGas = 60_000n

/** @returns gas units of an order's own calls within a settlement */
export const computeInteractionGas = (interactions: readonly { callData: Hex }[]): bigint =>
  interactions.reduce((gas, { callData }) => {
    const hooks = decodeHooks(callData)
    return gas + (hooks ? computeHookGas({ pre: hooks, post: [] }) : plainGas)
  }, 0n)

import type { Hex } from 'viem'
import { computeHookGas } from './computeHookGas.ts'
import { wrapGas } from './contractOwnerGas.ts'
import { decodeHooks } from './readHooks.ts'

/** A call that runs no hooks wraps the ether of an on-chain order's contract. @returns gas units of an order's own calls within a settlement */
export const computeInteractionGas = (interactions: readonly { callData: Hex }[]): bigint =>
  interactions.reduce((gas, { callData }) => {
    const hooks = decodeHooks(callData)
    return gas + (hooks ? computeHookGas({ pre: hooks, post: [] }) : wrapGas)
  }, 0n)

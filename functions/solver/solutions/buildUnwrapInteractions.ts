import { type Address, encodeFunctionData } from 'viem'
import { wrappedNativeAbi } from '#shared/chain/wrappedNativeAbi.ts'
import type { Interaction } from '#shared/solvers/encodeSettlement.ts'

/** Builds the call that unwraps the native token amount to pay out; empty for 0. */
export const buildUnwrapInteractions = (wrappedNative: Address, amount: bigint): Interaction[] => {
  if (amount === 0n) return []
  const withdraw = { abi: wrappedNativeAbi, functionName: 'withdraw', args: [amount] } as const
  return [{ target: wrappedNative, value: 0n, callData: encodeFunctionData(withdraw) }]
}

import { type Address, encodeFunctionData } from 'viem'
import { wrappedNativeAbi } from '#shared/chain/wrappedNativeAbi.ts'
import type { Interaction } from '#shared/solvers/encodeSettlement.ts'

/** The call that turns as much of the wrapped native token as is paid out into the native one; none for nothing. */
export const buildUnwrapInteractions = (wrappedNative: Address, amount: bigint): Interaction[] => {
  if (amount === 0n) return []
  const withdraw = { abi: wrappedNativeAbi, functionName: 'withdraw', args: [amount] } as const
  return [{ target: wrappedNative, value: 0n, callData: encodeFunctionData(withdraw) }]
}

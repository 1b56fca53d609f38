import { encodeFunctionData, prepareEncodeFunctionData, zeroHash } from 'viem'
import type { JudgedKey } from '#schema/queries/strategies/selectDue.ts'
import { callTogether } from '#shared/chain/calls/callTogether.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import type { StrategyDeps } from './strategyDeps.ts'

const singleOrders = prepareEncodeFunctionData({ abi: composableCowAbi, functionName: 'singleOrders' })
/** A read of one storage slot. */
const gasEach = 50_000n

/** Those that their owners removed, which the registry does without an event. */
export const findRemoved = async (
  { chain, network }: Pick<StrategyDeps, 'chain' | 'network'>,
  keys: readonly JudgedKey[],
  block: number,
  signal: AbortSignal,
): Promise<JudgedKey[]> => {
  if (keys.length === 0) return []
  const calls = keys.map(({ owner, hash }) => ({
    target: network.composableCow,
    callData: encodeFunctionData({ ...singleOrders, args: [owner, hash] }),
  }))
  const bounds = { gasEach, maxRequests: 1, signal, blockNumber: BigInt(block) }
  const outcomes = await callTogether(chain, calls, bounds)
  return keys.filter((_, i) => outcomes[i] === zeroHash)
}

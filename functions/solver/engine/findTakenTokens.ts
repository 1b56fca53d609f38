import type { Address, Hex } from 'viem'
import { encodeBalance, encodeNativeBalance } from '#shared/chain/calls/balanceCalls.ts'
import { readWord } from '#shared/chain/calls/readWord.ts'
import { type Simulate, SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { EngineSolution } from './engineApi.ts'

const timeoutMs = 1_500

/** Contracts of which the settlement contract may hold tokens that the calls of a solution could take. */
export const listTouchedTokens = (
  { interactions, preInteractions, postInteractions }: EngineSolution,
  traded: readonly Address[],
): Address[] => {
  const called = [...preInteractions, ...postInteractions].map(({ target }) => target)
  const custom = interactions.flatMap((interaction) =>
    interaction.kind === 'custom' ? [interaction.target, ...interaction.allowances.map(({ token }) => token)] : [],
  )
  return [...new Set([...traded, ...custom, ...called])].filter((token) => token !== nativeSentinel)
}

/**
 * The tokens of which the settlement contract would hold less after a settlement: they belong to the protocol, and an engine may not
 * spend them. The native token is `nativeSentinel`.
 * @returns empty when the node cannot simulate
 */
export const findTakenTokens = async (
  simulate: Simulate,
  { settlementContract, multicall3 }: Pick<Network, 'settlementContract' | 'multicall3'>,
  settlement: { from: Address; data: Hex },
  tokens: readonly Address[],
): Promise<Address[]> => {
  const reads = [
    ...tokens.map((to) => ({ to, data: encodeBalance(settlementContract) })),
    { to: multicall3, data: encodeNativeBalance(settlementContract) },
  ]
  try {
    const calls = [...reads, { ...settlement, to: settlementContract }, ...reads]
    const { results } = await simulate(calls, {}, AbortSignal.timeout(timeoutMs))
    const read = (i: number) => readWord(results[i]?.returnData) ?? 0n
    return [...tokens, nativeSentinel].filter((_, i) => read(reads.length + 1 + i) < read(i))
  } catch (error) {
    if (error instanceof SimulationError) return []
    throw error
  }
}

import { type Address, type Hex, toFunctionSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { toLowerAddress } from '../../chain/toLowerAddress.ts'
import { findTrace, visitFrames } from './findTrace.ts'

/** A `settle` call inside a transaction: its calldata and the call path from the sender. */
export type SettleCall = { input: Hex; callers: Address[] }

const selector = toFunctionSelector(
  settlementAbi.find((item) => item.type === 'function' && item.name === 'settle') as never,
)

/**
 * Finds the effective `settle` calls of a mined transaction, in order, from a call trace.
 * @returns undefined when the node does not support tracing
 * @throws NodeError when the trace is too long or invalid; viem errors when the node fails
 */
export const findSettleCalls = async (
  chain: ChainClient,
  settlementContract: Address,
  hash: Hex,
): Promise<SettleCall[] | undefined> => {
  const trace = await findTrace(chain, hash)
  if (!trace) return undefined
  const found: SettleCall[] = []
  visitFrames(trace, ({ type, from, to, input }, callers) => {
    const isSettle = type === 'CALL' && input?.startsWith(selector) && to !== undefined
    if (!isSettle || toLowerAddress(to) !== settlementContract) return true
    found.push({ input: input as Hex, callers: [...callers, from].map(toLowerAddress) })
    return false
  })
  return found
}

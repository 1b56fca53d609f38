import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { ChainClient } from './connectChain.ts'
import { isContractFault } from './isContractFault.ts'
import { multicall3Address } from './multicall3Address.ts'

const multicall3Abi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  // payable in the contract, here it is only asked
  'function aggregate3(Call[] calls) view returns (Result[] results)',
])
const multicall = { abi: multicall3Abi, functionName: 'aggregate3' } as const

/**
 * Asks several contracts in one `eth_call`, so that all answers are of one block. Other than viem's `multicall` it never takes
 * a node that fails for contracts that do.
 * @param at.gas units for all calls together
 * @param at.blockNumber the head when not given
 * @returns return data of each call, undefined for one that reverts; none at all when they use up all gas together
 * @throws Error when the node fails
 */
export const callTogether = async (
  client: ChainClient,
  calls: readonly { target: Address; callData: Hex }[],
  at: { gas?: bigint; blockNumber?: bigint } = {},
): Promise<(Hex | undefined)[]> => {
  try {
    const args = [calls.map((call) => ({ ...call, allowFailure: true }))] as const
    const request = { to: multicall3Address, data: encodeFunctionData({ ...multicall, args }) }
    const { data = '0x' } = await client.call({ ...request, ...at })
    return decodeFunctionResult({ ...multicall, data }).map(({ success, returnData }) =>
      success ? returnData : undefined,
    )
  } catch (error) {
    if (isContractFault(error)) return []
    throw error
  }
}

import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { ChainClient } from '../connectChain.ts'
import { multicall3Address } from '../multicall3Address.ts'
import { isContractFault } from './isContractFault.ts'

const multicall3Abi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  // payable in the contract, here it is only asked
  'function aggregate3(Call[] calls) view returns (Result[] results)',
])
const multicall = { abi: multicall3Abi, functionName: 'aggregate3' } as const

/**
 * Calls contracts one after the other in one `eth_call`; each call sees the state that the earlier ones left. They share their
 * gas, so they have to belong to one order: `callTogether` keeps strangers apart.
 * @param gas units for all calls together
 * @returns return data of each call, undefined for one that reverts; an empty list when they use up all gas together
 * @throws Error when the node fails
 */
export const callInSequence = async (
  client: ChainClient,
  calls: readonly { target: Address; callData: Hex }[],
  gas: bigint,
): Promise<(Hex | undefined)[]> => {
  const encode = (asked: typeof calls) =>
    encodeFunctionData({ ...multicall, args: [asked.map((call) => ({ ...call, allowFailure: true }))] })
  const request = async (asked: typeof calls) => {
    const { data = '0x' } = await client.call({ to: multicall3Address, data: encode(asked), gas })
    return decodeFunctionResult({ ...multicall, data })
  }
  try {
    return (await request(calls)).map(({ success, returnData }) => (success ? returnData : undefined))
  } catch (error) {
    if (!isContractFault(error)) throw error
    // a node that fails without any contract, too, says nothing about these
    await request([]).catch(() => {
      throw error
    })
    return []
  }
}

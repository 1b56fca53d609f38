import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, type StateOverride } from 'viem'
import { multicall3Address } from '../../networks/multicall3Address.ts'
import type { ChainClient } from '../connectChain.ts'
import { isContractFault } from './isContractFault.ts'

const multicall3Abi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  // payable in the contract, only read here
  'function aggregate3(Call[] calls) view returns (Result[] results)',
])
const multicall = { abi: multicall3Abi, functionName: 'aggregate3' } as const

/**
 * Calls contracts in sequence within one `eth_call`; each call runs on the state left by the earlier ones. The calls
 * share their gas, so they must belong to one order: `callTogether` isolates calls of different owners.
 * @param gas units for all calls together
 * @param stateOverride code of accounts; a node that takes no state overrides makes the calls without
 * @returns return data of each call, undefined for one that reverts; an empty list when the calls together run out of
 *   gas
 * @throws Error when the node fails
 */
export const callInSequence = async (
  client: ChainClient,
  calls: readonly { target: Address; callData: Hex }[],
  gas: bigint,
  stateOverride?: StateOverride,
): Promise<(Hex | undefined)[]> => {
  const encode = (requested: typeof calls) =>
    encodeFunctionData({ ...multicall, args: [requested.map((call) => ({ ...call, allowFailure: true }))] })
  const to = client.chain?.contracts?.multicall3?.address ?? multicall3Address
  const request = async (requested: typeof calls, state?: StateOverride) => {
    const { data = '0x' } = await client.call({ to, data: encode(requested), gas, stateOverride: state })
    return decodeFunctionResult({ ...multicall, data })
  }
  const run = async (state?: StateOverride) => {
    try {
      return (await request(calls, state)).map(({ success, returnData }) => (success ? returnData : undefined))
    } catch (error) {
      if (!isContractFault(error)) throw error
      // when the node also fails without any contract, the failure is not theirs
      await request([], state).catch(() => {
        throw error
      })
      return []
    }
  }
  return run(stateOverride).catch((error: unknown) => {
    if (!stateOverride || !isContractFault(error)) throw error
    return run()
  })
}

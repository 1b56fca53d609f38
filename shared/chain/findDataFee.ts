import { type Address, type Hex, parseAbi } from 'viem'
import type { Network } from '../networks.ts'
import type { ChainClient } from './connectChain.ts'

/** Predeployed on every OP Stack chain. Source: the predeploys of the OP Stack specification. */
export const gasPriceOracle: Address = '0x420000000000000000000000000000000000000f'
/** Virtual contract of Arbitrum's nodes, for `eth_call` only. Source: Arbitrum's NodeInterface reference. */
export const nodeInterface: Address = '0x00000000000000000000000000000000000000c8'

const oracleAbi = parseAbi(['function getL1Fee(bytes data) view returns (uint256)'])
const interfaceAbi = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) view returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
])

/**
 * Fee that a transaction to the settlement contract pays for its data, beside gas · gas price.
 *     optimism: getL1Fee(data)      arbitrum: gasEstimateForL1 · baseFee, both of gasEstimateL1Component
 * @param data call data of the transaction
 * @returns wei
 * @throws viem errors when the node fails
 */
export const findDataFee = async (
  chain: Pick<ChainClient, 'readContract'>,
  { dataFee, settlementContract }: Pick<Network, 'dataFee' | 'settlementContract'>,
  data: Hex,
): Promise<bigint> => {
  if (dataFee === 'none') return 0n
  if (dataFee === 'optimism') {
    return chain.readContract({ address: gasPriceOracle, abi: oracleAbi, functionName: 'getL1Fee', args: [data] })
  }
  const args = [settlementContract, false, data] as const
  const call = { address: nodeInterface, abi: interfaceAbi, functionName: 'gasEstimateL1Component', args } as const
  const [gas, baseFee] = await chain.readContract(call)
  return gas * baseFee
}

import { decodeFunctionResult, encodeFunctionData, type Hex, isAddress, parseAbi, zeroAddress } from 'viem'
import type { EthereumProvider } from '../ethereumProvider.ts'

/** The ENS registry has this address on all of its networks (https://docs.ens.domains). */
const registry = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'

const registryAbi = parseAbi(['function resolver(bytes32 node) view returns (address)'])
export const resolverAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
])

/** Resolver of a name in the registry; null without one. */
export const findResolver = (provider: EthereumProvider, node: Hex): Promise<string | null> =>
  requestAddress(provider, registry, encodeFunctionData({ abi: registryAbi, functionName: 'resolver', args: [node] }))

/** Reads a contract through the wallet. @throws errors of the wallet */
export const callContract = (provider: EthereumProvider, to: string, data: Hex): Promise<unknown> =>
  provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })

/** An address that a contract returns, lower case; null for zero or another value. */
export const requestAddress = async (provider: EthereumProvider, to: string, data: Hex): Promise<string | null> => {
  const returned = await callContract(provider, to, data)
  if (typeof returned !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(returned)) return null
  const address = decodeFunctionResult({ abi: resolverAbi, functionName: 'addr', data: returned as Hex })
  return isAddress(address) && address !== zeroAddress ? address.toLowerCase() : null
}

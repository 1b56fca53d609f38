import { decodeFunctionResult, encodeFunctionData, type Hex, isAddress, parseAbi, zeroAddress } from 'viem'
import { namehash, normalize } from 'viem/ens'
import type { EthereumProvider } from './ethereumProvider.ts'

/** The ENS registry has this address on all of its networks (https://docs.ens.domains). */
const registry = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'

const registryAbi = parseAbi(['function resolver(bytes32 node) view returns (address)'])
const resolverAbi = parseAbi(['function addr(bytes32 node) view returns (address)'])

/**
 * The address of an ENS name, read from the wallet's node. Names that other servers resolve (EIP-3668) are not found: this
 * page requests no other server.
 * @returns lower case; null for a name without an address
 * @throws errors of the wallet
 */
export const resolveName = async (provider: EthereumProvider, name: string): Promise<string | null> => {
  let node: Hex
  try {
    node = namehash(normalize(name))
  } catch {
    return null
  }
  const findResolver = encodeFunctionData({ abi: registryAbi, functionName: 'resolver', args: [node] })
  const resolver = await readAddress(provider, registry, findResolver)
  if (resolver === null) return null
  const findAddress = encodeFunctionData({ abi: resolverAbi, functionName: 'addr', args: [node] })
  // a resolver may lack the name, or ask for another server
  return readAddress(provider, resolver, findAddress).catch(() => null)
}

const readAddress = async (provider: EthereumProvider, to: string, data: Hex): Promise<string | null> => {
  const returned = await provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
  if (typeof returned !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(returned)) return null
  const address = decodeFunctionResult({ abi: resolverAbi, functionName: 'addr', data: returned as Hex })
  return isAddress(address) && address !== zeroAddress ? address.toLowerCase() : null
}

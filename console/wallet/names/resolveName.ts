import { encodeFunctionData, type Hex } from 'viem'
import { namehash, normalize } from 'viem/ens'
import type { EthereumProvider } from '../ethereumProvider.ts'
import { findResolver, requestAddress, resolverAbi } from './findResolver.ts'

/**
 * The address of an ENS name, read from the wallet's node. Names that other servers resolve (EIP-3668) are not found:
 * this page requests no other server.
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
  const resolver = await findResolver(provider, node)
  if (resolver === null) return null
  const findAddress = encodeFunctionData({ abi: resolverAbi, functionName: 'addr', args: [node] })
  // a resolver may lack the name, or refer to another server
  return requestAddress(provider, resolver, findAddress).catch(() => null)
}

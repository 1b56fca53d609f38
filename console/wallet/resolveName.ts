import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isAddress,
  parseAbi,
  zeroAddress,
} from 'viem'
import { namehash, normalize } from 'viem/ens'
import type { EthereumProvider } from './ethereumProvider.ts'
import { isName } from './nameRules.ts'

/** The ENS registry has this address on all of its networks (https://docs.ens.domains). */
const registry = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'

const registryAbi = parseAbi(['function resolver(bytes32 node) view returns (address)'])
const resolverAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
])
/** Characters of a primary name that is shown; longer ones are not. */
const maxNameLength = 64
/** Hex digits of such a name as a return value: 0x, offset, length, and up to four bytes a character. */
const maxReturnedLength = 2 + 2 * (64 + 4 * maxNameLength)

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
  const resolver = await findResolver(provider, node)
  if (resolver === null) return null
  const findAddress = encodeFunctionData({ abi: resolverAbi, functionName: 'addr', args: [node] })
  // a resolver may lack the name, or ask for another server
  return readAddress(provider, resolver, findAddress).catch(() => null)
}

/**
 * The primary name of an address (ERC-181), which the address's owner chose. A name counts only when it resolves to the
 * address again, because anyone may choose any name, and when it is in normal form (ENSIP-15).
 * @param address lower case
 * @throws errors of the wallet
 */
export const findPrimaryName = async (provider: EthereumProvider, address: Address): Promise<string | null> => {
  const node = namehash(`${address.slice(2)}.addr.reverse`)
  const resolver = await findResolver(provider, node)
  if (resolver === null) return null
  const data = encodeFunctionData({ abi: resolverAbi, functionName: 'name', args: [node] })
  const returned = await call(provider, resolver, data).catch(() => null)
  if (typeof returned !== 'string' || returned.length > maxReturnedLength) return null
  const name = decodeName(returned as Hex)
  return name !== null && (await resolveName(provider, name)) === address ? name : null
}

const decodeName = (returned: Hex): string | null => {
  try {
    const name = decodeFunctionResult({ abi: resolverAbi, functionName: 'name', data: returned })
    return name.length <= maxNameLength && isName(name) && normalize(name) === name ? name : null
  } catch {
    return null
  }
}

const findResolver = (provider: EthereumProvider, node: Hex): Promise<string | null> =>
  readAddress(provider, registry, encodeFunctionData({ abi: registryAbi, functionName: 'resolver', args: [node] }))

const call = (provider: EthereumProvider, to: string, data: Hex): Promise<unknown> =>
  provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })

const readAddress = async (provider: EthereumProvider, to: string, data: Hex): Promise<string | null> => {
  const returned = await call(provider, to, data)
  if (typeof returned !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(returned)) return null
  const address = decodeFunctionResult({ abi: resolverAbi, functionName: 'addr', data: returned as Hex })
  return isAddress(address) && address !== zeroAddress ? address.toLowerCase() : null
}

import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { namehash, normalize } from 'viem/ens'
import type { EthereumProvider } from '../ethereumProvider.ts'
import { callContract, findResolver, resolverAbi } from './findResolver.ts'
import { isName } from './nameRules.ts'
import { resolveName } from './resolveName.ts'

/** Characters of a primary name that is shown; longer ones are not. */
const maxNameLength = 64
/** Hex digits of such a name as a return value: 0x, offset, length, and up to four bytes a character. */
const maxReturnedLength = 2 + 2 * (64 + 4 * maxNameLength)

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
  const returned = await callContract(provider, resolver, data).catch(() => null)
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

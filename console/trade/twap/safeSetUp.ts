import { decodeFunctionResult, domainSeparator, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { publicContracts } from '../../../shared/strategies/publicContracts.ts'
import { buildDomain } from '../../actions/orderTypes.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import type { EthereumProvider } from '../../wallet/ethereumProvider.ts'

/**
 * How a Safe checks signatures: lower case, the zero address for none. An account that delegates to `ConditionalAccount`
 * is like a Safe whose set-up is complete.
 */
export type SafeSetUp = { fallbackHandler: string; verifier: string }

const abi = parseAbi([
  'function getStorageAt(uint256 offset, uint256 length) view returns (bytes)',
  'function domainVerifiers(address safe, bytes32 domainSeparator) view returns (address)',
  'function composableCow() view returns (address)',
])

/** Slot of a Safe's fallback handler: keccak256 of `fallback_manager.handler.address`. */
const fallbackSlot = 0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5n

type Chain = Pick<Network, 'chainId' | 'settlementContract'>
type Registry = Pick<Network, 'composableCow'>

/** Domain of orders, by which a fallback handler finds the verifier. */
export const computeOrderDomain = (network: Chain): Hex => {
  const domain = buildDomain(network)
  return domainSeparator({ domain: { ...domain, verifyingContract: domain.verifyingContract as Hex } })
}

/**
 * Reads the set-up of a Safe, or of an account that delegates to `ConditionalAccount`, by its wallet.
 * @returns null for another account
 * @throws errors of the wallet
 */
export const readSafeSetUp = async (
  provider: EthereumProvider,
  network: Chain & Registry,
  account: string,
): Promise<SafeSetUp | null> => {
  const call = async (to: string, data: Hex): Promise<Hex> => {
    const response = await provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
    return typeof response === 'string' ? (response as Hex) : '0x'
  }
  const ask = (data: Hex) => call(account, data).catch(() => '0x' as const)
  const stored = encodeFunctionData({ abi, functionName: 'getStorageAt', args: [fallbackSlot, 1n] })
  const fallbackHandler = readSlot(await ask(stored))
  if (fallbackHandler === null) {
    const registry = readRegistry(await ask(encodeFunctionData({ abi, functionName: 'composableCow' })))
    return registry === network.composableCow
      ? { fallbackHandler: publicContracts.fallbackHandler, verifier: registry }
      : null
  }
  const verifying = encodeFunctionData({
    abi,
    functionName: 'domainVerifiers',
    args: [account as Hex, computeOrderDomain(network)],
  })
  const verifier = decodeFunctionResult({
    abi,
    functionName: 'domainVerifiers',
    data: await call(publicContracts.fallbackHandler, verifying),
  })
  return { fallbackHandler, verifier: verifier.toLowerCase() }
}

const readSlot = (data: Hex): string | null => {
  try {
    const word = decodeFunctionResult({ abi, functionName: 'getStorageAt', data })
    return word.length === 66 ? `0x${word.slice(26)}`.toLowerCase() : null
  } catch {
    return null
  }
}

const readRegistry = (data: Hex): string | null => {
  try {
    return decodeFunctionResult({ abi, functionName: 'composableCow', data }).toLowerCase()
  } catch {
    return null
  }
}

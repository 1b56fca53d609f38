import { createWalletClient, type Hex, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Network } from '#shared/networks.ts'

export type OperatorChain = ReturnType<typeof connectOperator>

/**
 * Client of a network's node that reads, and sends as the operator.
 * @throws Error when the key is not a private key
 */
export const connectOperator = (
  rpcUrl: string,
  network: Pick<Network, 'chainId' | 'label' | 'nativeSymbol' | 'blockTimeSeconds'>,
  key: Hex,
) =>
  createWalletClient({
    account: privateKeyToAccount(key),
    chain: {
      id: network.chainId,
      name: network.label,
      nativeCurrency: { name: network.nativeSymbol, symbol: network.nativeSymbol, decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    },
    transport: http(rpcUrl),
    pollingInterval: Math.min(1_000, network.blockTimeSeconds * 500),
  }).extend(publicActions)

/** The operator's key of `OPERATOR_PRIVATE_KEY`; it is not stored. */
export const readOperatorKey = (variables: NodeJS.ProcessEnv): Hex => {
  const key = variables.OPERATOR_PRIVATE_KEY ?? ''
  if (/^0x[0-9a-fA-F]{64}$/.test(key)) return key as Hex
  throw new Error('set OPERATOR_PRIVATE_KEY to the private key of the account that pays and manages: 0x and 64 digits')
}

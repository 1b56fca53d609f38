import type { Network } from '../networks/NetworksProvider.tsx'

/** Parameter of `wallet_addEthereumChain` (EIP-3085). */
type AddedChain = {
  chainId: string
  chainName: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  rpcUrls: string[]
  blockExplorerUrls?: string[]
}

/** A chain id as wallets expect it, in hexadecimal. */
export const toHexChainId = (chainId: number): string => `0x${chainId.toString(16)}`

/**
 * The network as a wallet can add it.
 * @returns undefined when the deployment publishes no node for wallets
 */
export const buildAddedChain = ({
  chainId,
  label,
  nativeSymbol,
  publicRpcUrl,
  explorerUrl,
}: Pick<Network, 'chainId' | 'label' | 'nativeSymbol' | 'publicRpcUrl' | 'explorerUrl'>): AddedChain | undefined =>
  publicRpcUrl === null
    ? undefined
    : {
        chainId: toHexChainId(chainId),
        chainName: label,
        nativeCurrency: { name: nativeSymbol, symbol: nativeSymbol, decimals: 18 },
        rpcUrls: [publicRpcUrl],
        ...(explorerUrl === null ? {} : { blockExplorerUrls: [explorerUrl] }),
      }

import type { Network } from '../../networks/NetworksProvider.tsx'
import { buildAddedChain, toHexChainId } from '../buildAddedChain.ts'
import { isUnknownChain } from '../describeWalletFailure.ts'
import type { EthereumProvider } from '../ethereumProvider.ts'

/** @throws wallet error */
export const switchToNetwork = async (provider: EthereumProvider, network: Network): Promise<void> => {
  const chain = buildAddedChain(network)
  const request = { method: 'wallet_switchEthereumChain', params: [{ chainId: toHexChainId(network.chainId) }] }
  try {
    await provider.request(request)
  } catch (thrown) {
    if (!isUnknownChain(thrown) || !chain) throw thrown
    await provider.request({ method: 'wallet_addEthereumChain', params: [chain] })
    // some wallets add a network without a switch to it
    await provider.request(request)
  }
}

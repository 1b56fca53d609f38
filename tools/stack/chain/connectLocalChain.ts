import { createTestClient, defineChain, http, publicActions, walletActions } from 'viem'

/** Client that reads, sends to and controls the local chain. */
export type LocalChain = ReturnType<typeof connectLocalChain>

export const connectLocalChain = (rpcUrl: string, chainId: number) =>
  createTestClient({
    mode: 'anvil',
    chain: defineChain({
      id: chainId,
      name: 'local',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    }),
    transport: http(rpcUrl, { retryCount: 0, timeout: 30_000 }),
    pollingInterval: 100,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)

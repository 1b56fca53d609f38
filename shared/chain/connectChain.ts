import { createPublicClient, http, type PublicClient } from 'viem'
import { measureRoundTrip } from '../http/serverTiming.ts'
import { multicall3Address } from './multicall3Address.ts'

const timeoutMs = 5_000

/**
 * A client of one chain's JSON-RPC endpoint. Make it where a request, an alarm or a tick begins and pass it on: workerd
 * forbids a request to wait for another one's I/O, so a client is never kept at module scope. Every round trip counts
 * towards `Server-Timing`.
 *
 * JSON-RPC batching stays off, because viem shares a batch between all clients of a URL; `multicall` does the same job.
 * `getBlockNumber` asks the chain every time: viem's own keeps a map entry for every client ever made.
 * @param chainId lets `multicall` find Multicall3 and makes signing refuse another chain
 */
export const connectChain = (rpcUrl: string, chainId?: number): PublicClient => {
  const client = createPublicClient({
    chain: chainId === undefined ? undefined : toChain(rpcUrl, chainId),
    transport: http(rpcUrl, {
      timeout: timeoutMs,
      retryCount: 1,
      fetchFn: (input, init) => measureRoundTrip('rpc', () => fetch(input, init)),
    }),
  }).extend((base) => ({
    getBlockNumber: async () => BigInt(await base.request({ method: 'eth_blockNumber' })),
  }))
  return client as PublicClient
}

const toChain = (rpcUrl: string, id: number) => ({
  id,
  name: String(id),
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
  contracts: { multicall3: { address: multicall3Address } },
})

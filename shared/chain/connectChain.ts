import { type Client, createClient, http, type PublicActions, type PublicClient } from 'viem'
import {
  call,
  getBlock,
  getChainId,
  getGasPrice,
  getLogs,
  getTransaction,
  getTransactionReceipt,
  multicall,
  readContract,
} from 'viem/actions'
import { multicall3Address } from '../networks/multicall3Address.ts'
import { findNetworkOf } from '../networks.ts'
import { fetchNode, listNodes } from './nodes/fetchNode.ts'
import { RateLimitError } from './RateLimitError.ts'

/** time limit of a call, retry included */
const timeoutMs = 5_000

/** The viem actions that Workers use. All public actions together would take a third of a Worker's size limit. */
type ChainActions = Pick<
  PublicActions,
  | 'call'
  | 'getBlock'
  | 'getBlockNumber'
  | 'getChainId'
  | 'getGasPrice'
  | 'getLogs'
  | 'getTransaction'
  | 'getTransactionReceipt'
  | 'multicall'
  | 'readContract'
>

/** Computes headers of a request from its body. */
type BuildHeaders = (body: string) => Promise<Record<string, string>>

/** A viem client of one chain, with the actions above. A viem `PublicClient` is one too. */
export type ChainClient = Pick<PublicClient, 'chain' | 'request' | 'uid'> & ChainActions

/**
 * Creates a client of one chain's JSON-RPC nodes. Create it per request, alarm or tick and pass it on: workerd
 * forbids a request to wait for another one's I/O, so a client must not live at module scope. Every round trip counts
 * towards `Server-Timing`.
 *
 * JSON-RPC batching is disabled, because viem shares a batch between all clients of a URL; `multicall` replaces it.
 * EIP-3668 look-ups are disabled, because an untrusted contract would choose the URL to fetch. `getBlockNumber` is
 * never cached: viem's cache retains a map entry for every client.
 *
 * A call is limited to five seconds, a response to ten megabytes, viem's own bound. `fetchNode` repeats failed calls, at
 * other nodes when there are several.
 * @param rpcUrl one URL, or several separated by commas
 * @param chainId lets `multicall` find Multicall3
 * @param buildHeaders further headers of each request, for example a signature
 */
export const connectChain = (rpcUrl: string, chainId?: number, buildHeaders?: BuildHeaders): ChainClient => {
  const [first = rpcUrl] = listNodes(rpcUrl)
  const client: Client = createClient({
    chain: chainId === undefined ? undefined : toChain(first, chainId),
    ccipRead: false,
    transport: http(first, {
      timeout: timeoutMs,
      retryCount: 0,
      fetchFn: fetchBounded(rpcUrl, buildHeaders),
    }),
  })
  return client.extend(toChainActions) as ChainClient
}

/**
 * viem's time limit ends with the headers, and viem waits for any `Retry-After`. Here the limit covers the body, and
 * the caller decides whether to wait.
 * @throws RateLimitError on 429
 */
const fetchBounded =
  (rpcUrl: string, buildHeaders?: BuildHeaders): typeof fetch =>
  async (_, init) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries((await buildHeaders?.(String(init?.body))) ?? {}))
      headers.set(name, value)
    const response = await fetchNode(rpcUrl, { ...init, headers, signal })
    if (response.status === 429) throw new RateLimitError(response.headers.get('Retry-After'))
    return response.ok || response.status === 400 ? response : withoutBody(response)
  }

/**
 * viem reads JSON-RPC errors regardless of the HTTP status. An error status comes from the node, so its body must not
 * count as a contract's response; some nodes respond with 400 to a call that reverts.
 */
const withoutBody = async ({ body, status }: Response): Promise<Response> => {
  await body?.cancel()
  return new Response(null, { status })
}

const toChainActions = (client: Client): ChainActions => ({
  call: (args) => call(client, args),
  getBlock: (args) => getBlock(client, args),
  getBlockNumber: async () => BigInt(await client.request({ method: 'eth_blockNumber' })),
  getChainId: () => getChainId(client),
  getGasPrice: () => getGasPrice(client),
  getLogs: (args) => getLogs(client, args) as never,
  getTransaction: (args) => getTransaction(client, args),
  getTransactionReceipt: (args) => getTransactionReceipt(client, args),
  multicall: (args) => multicall(client, args),
  readContract: (args) => readContract(client, args),
})

const toChain = (rpcUrl: string, id: number) => ({
  id,
  name: String(id),
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
  contracts: { multicall3: { address: findNetworkOf(id)?.multicall3 ?? multicall3Address } },
})

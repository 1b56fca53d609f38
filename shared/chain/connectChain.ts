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
import { measureRoundTrip } from '../logging/serverTiming.ts'
import { multicall3Address } from './multicall3Address.ts'
import { RateLimitError } from './RateLimitError.ts'

/** for a call, its second attempt included */
const timeoutMs = 5_000
const retryDelayMs = 150

/** viem's actions that read the chain and that Workers use. All of them together would be a third of a Worker's size limit. */
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

/** A viem client of one chain, with the actions above. A viem `PublicClient` is one too. */
export type ChainClient = Pick<PublicClient, 'chain' | 'request' | 'uid'> & ChainActions

/**
 * A client of one chain's JSON-RPC endpoint. Make it where a request, an alarm or a tick begins and pass it on: workerd
 * forbids a request to wait for another one's I/O, so a client is never kept at module scope. Every round trip counts
 * towards `Server-Timing`.
 *
 * JSON-RPC batching stays off, because viem shares a batch between all clients of a URL; `multicall` does the same job.
 * EIP-3668 look-ups stay off, because a contract that a stranger names would choose the URL that we fetch.
 * `getBlockNumber` asks the chain every time: viem's own keeps a map entry for every client ever made.
 *
 * A call has five seconds, and an answer ten megabytes, which is viem's own bound. One that gets no answer at all, or a 5xx,
 * is made once more within its time: nodes stand behind load balancers.
 * @param chainId lets `multicall` find Multicall3
 */
export const connectChain = (rpcUrl: string, chainId?: number): ChainClient => {
  const client: Client = createClient({
    chain: chainId === undefined ? undefined : toChain(rpcUrl, chainId),
    ccipRead: false,
    transport: http(rpcUrl, {
      timeout: timeoutMs,
      retryCount: 0,
      fetchFn: fetchBounded,
    }),
  })
  return client.extend(toChainActions) as ChainClient
}

/**
 * viem's time limit ends with the headers, and it waits as long as a `Retry-After` says: here the limit covers the body, and
 * the caller decides whether to wait.
 * @throws RateLimitError on 429
 */
const fetchBounded = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
  const limit = AbortSignal.timeout(timeoutMs)
  const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
  const attempt = () => measureRoundTrip('rpc', () => fetch(input, { ...init, signal }))
  const first = await attempt().catch(keepConnectionError(signal))
  const response = first.status >= 500 ? await afterPause(first, attempt) : first
  if (response.status === 429) throw new RateLimitError(response.headers.get('Retry-After'))
  return response.ok || response.status === 400 ? response : withoutBody(response)
}

/**
 * viem reads a JSON-RPC error whatever the status it came with. A refusal by status is the node's, and its body must not pass
 * for a contract's answer; some nodes respond with 400 to a call that reverts.
 */
const withoutBody = async ({ body, status }: Response): Promise<Response> => {
  await body?.cancel()
  return new Response(null, { status })
}

/** Stands for an answer, so that no answer is treated like a bad one. */
const keepConnectionError =
  (signal: AbortSignal) =>
  (error: unknown): Response => {
    if (signal.aborted) throw error
    return new Response(null, { status: 503 })
  }

const afterPause = async (failed: Response, attempt: () => Promise<Response>): Promise<Response> => {
  await failed.body?.cancel()
  await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
  return attempt()
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
  contracts: { multicall3: { address: multicall3Address } },
})

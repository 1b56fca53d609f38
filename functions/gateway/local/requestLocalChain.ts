import { z } from 'zod'
import { toUnavailable } from '#shared/http/toUnavailable.ts'
import { type RpcOutcome, type RpcRequest, rpcErrorSchema } from './rpcRequest.ts'

/** Methods that a page needs of a wallet; none changes the node itself. */
const forwarded = new Set([
  'eth_accounts',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_sendTransaction',
  'eth_signTypedData_v4',
  'personal_sign',
])

/** Errors of the wallet itself. Codes: JSON-RPC 2.0, EIP-3326. */
const unknownMethod = { code: -32_601, message: 'the local wallet does not have this method' }
const unknownChain = { code: 4_902, message: 'the local wallet is on one chain only' }

const timeoutMs = 5_000

/** Drops all other fields of the node's response. */
const responseSchema = z.union([
  z.object({ error: rpcErrorSchema }),
  // JSON has no undefined: a response without `result` is invalid
  z.object({ result: z.unknown() }).refine(({ result }) => result !== undefined),
])

/**
 * Emulates a wallet with the unlocked accounts of a local chain's node.
 * @throws ApiError `ServiceUnavailable` when the node does not respond
 */
export const requestLocalChain = async (
  { url, chainId }: { url: string; chainId: number },
  { method, params }: Pick<RpcRequest, 'method' | 'params'>,
): Promise<RpcOutcome> => {
  if (method === 'wallet_switchEthereumChain')
    return isChain(params, chainId) ? { result: null } : { error: unknownChain }
  // the accounts are unlocked: no permission is needed
  const known = method === 'eth_requestAccounts' ? 'eth_accounts' : method
  if (!forwarded.has(known)) return { error: unknownMethod }
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: known, params }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return responseSchema.parse(await response.json())
  } catch (error) {
    throw toUnavailable('chain', error)
  }
}

const switchSchema = z.tuple([z.object({ chainId: z.string().regex(/^0x[0-9a-f]{1,16}$/i) })])

const isChain = (params: unknown[], chainId: number): boolean => {
  const wanted = switchSchema.safeParse(params)
  return wanted.success && Number(wanted.data[0].chainId) === chainId
}

import { toHexChainId } from '../buildAddedChain.ts'
import type { EthereumProvider } from '../ethereumProvider.ts'
import { readAccounts } from '../readAccounts.ts'
import type { RequestSafe } from './connectSafe.ts'

type SafeTransaction = { txStatus?: unknown; txHash?: unknown }
type Call = { to?: unknown; data?: unknown; value?: unknown }

/** Reads of the chain that a Safe passes to a node. */
const nodeMethods = new Set(['eth_getCode', 'eth_getBalance', 'eth_call', 'eth_blockNumber'])

/** Outcomes of a Safe's transaction as statuses of EIP-5792; the others wait for owners or for the execution. */
const callsStatuses: Record<string, number> = { SUCCESS: 200, CANCELLED: 400, FAILED: 500 }
const pendingStatus = 100

/** Amounts of a Safe are decimal; those of wallets hexadecimal. */
const toSafeCall = ({ to, data = '0x', value = '0x0' }: Call) => ({ to, data, value: BigInt(String(value)).toString() })

/**
 * The Safe that frames this page as a wallet. It signs no messages: orders of contracts are signed by a transaction.
 * @returns undefined when the response about the Safe is invalid
 */
export const createSafeProvider = async (requestSafe: RequestSafe): Promise<EthereumProvider | undefined> => {
  const info = (await requestSafe('getSafeInfo')) as { safeAddress?: unknown; chainId?: unknown } | null
  const accounts = readAccounts([info?.safeAddress])
  const chainId = Number(info?.chainId)
  if (accounts.length === 0 || !Number.isSafeInteger(chainId)) return undefined
  const chain = toHexChainId(chainId)

  const sendAll = async (calls: Call[]): Promise<unknown> => {
    const params = { txs: calls.map(toSafeCall), params: {} }
    return ((await requestSafe('sendTransactions', params)) as { safeTxHash?: unknown } | null)?.safeTxHash
  }
  const find = async (safeTxHash: unknown): Promise<SafeTransaction> =>
    ((await requestSafe('getTxBySafeTxHash', { safeTxHash })) as SafeTransaction | null) ?? {}
  const callNode = (call: string, params: unknown[]) => requestSafe('rpcCall', { call, params })

  const methods: Record<string, (params: unknown[]) => unknown> = {
    eth_requestAccounts: () => accounts,
    eth_accounts: () => accounts,
    eth_chainId: () => chain,
    eth_sendTransaction: ([call]) => sendAll([call as Call]),
    // the hash of a Safe's transaction is known once its owners have executed it
    eth_getTransactionReceipt: async ([safeTxHash]) => {
      const { txHash } = await find(safeTxHash)
      return typeof txHash === 'string' ? callNode('eth_getTransactionReceipt', [txHash]) : null
    },
    wallet_getCapabilities: () => ({ [chain]: { atomic: { status: 'supported' } } }),
    wallet_sendCalls: async ([request]) => ({ id: await sendAll((request as { calls: Call[] }).calls) }),
    wallet_getCallsStatus: async ([id]) => ({
      id,
      status: callsStatuses[String((await find(id)).txStatus)] ?? pendingStatus,
    }),
  }
  return {
    request: async ({ method, params = [] }) => {
      const run = methods[method]
      if (run) return run(params)
      if (nodeMethods.has(method)) return callNode(method, params)
      throw Object.assign(new Error(`a Safe does not support ${method}`), { code: 4200 })
    },
  }
}

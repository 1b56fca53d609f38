import type { EthereumProvider } from './ethereumProvider.ts'

type RequestState = { result?: unknown; error?: { code?: number; message?: string }; description?: string }

/**
 * The unlocked accounts of a local stack as a wallet without prompts.
 * @param path of the JSON-RPC endpoint, `localWallet` of the network
 */
export const createLocalProvider = (path: string): EthereumProvider => {
  let id = 0
  return {
    request: async ({ method, params = [] }) => {
      id += 1
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      })
      const { result, error, description } = (await response.json()) as RequestState
      if (response.ok && !error) return result
      const message = error?.message ?? description ?? `it responded with status ${response.status}`
      throw Object.assign(new Error(message), { code: error?.code })
    },
  }
}

import { numberToHex } from 'viem'
import { toHexChainId } from './buildAddedChain.ts'
import type { Connection } from './connection/openConnection.ts'

export type WalletCall = {
  to: string
  data: string
  /** wei */
  value?: bigint
}

/**
 * Requests the wallet to execute calls of the connected account as one transaction (EIP-5792).
 * @returns id for `readCallsOutcome`
 * @throws errors of the wallet; Error for a response without an id
 */
export const sendCalls = async (
  { choice, address, chainId }: Connection,
  calls: readonly WalletCall[],
): Promise<string> => {
  const request = {
    version: '2.0.0',
    from: address,
    chainId: toHexChainId(chainId),
    atomicRequired: true,
    calls: calls.map(({ to, data, value = 0n }) => ({ to, data, value: numberToHex(value) })),
  }
  const response = await choice.provider.request({ method: 'wallet_sendCalls', params: [request] })
  const { id } = (typeof response === 'object' && response !== null ? response : {}) as { id?: unknown }
  if (typeof id !== 'string' || id === '') throw new Error('it returned no id of the transaction')
  return id
}

/** @returns undefined while the wallet has no result */
export const readCallsOutcome = async ({ choice }: Connection, id: string): Promise<'done' | 'failed' | undefined> => {
  const response = await choice.provider
    .request({ method: 'wallet_getCallsStatus', params: [id] })
    .catch(() => undefined)
  const { status } = (typeof response === 'object' && response !== null ? response : {}) as { status?: unknown }
  if (typeof status !== 'number' || status < 200) return undefined
  return status < 300 ? 'done' : 'failed'
}

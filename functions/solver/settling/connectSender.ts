import type { Client, PublicActions } from 'viem'
import { estimateGas, getTransactionCount, sendRawTransaction } from 'viem/actions'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'

/** A chain client that can also estimate and send a transaction; only a solver's Worker pays for that in size. */
export type SenderClient = ChainClient &
  Pick<PublicActions, 'estimateGas' | 'getTransactionCount' | 'sendRawTransaction'>

/** `connectChain` with what sending takes; the same rule holds: made per use, never kept at module scope. */
export const connectSender = (rpcUrl: string, chainId: number): SenderClient => {
  const chain = connectChain(rpcUrl, chainId)
  const client = chain as unknown as Client
  return {
    ...chain,
    estimateGas: (args) => estimateGas(client, args),
    getTransactionCount: (args) => getTransactionCount(client, args),
    sendRawTransaction: (args) => sendRawTransaction(client, args),
  }
}

import type { Client, PublicActions } from 'viem'
import { estimateGas, getTransactionCount, sendRawTransaction } from 'viem/actions'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'

/** A chain client that can also estimate and send transactions; only solver Workers include this code. */
export type SenderClient = ChainClient &
  Pick<PublicActions, 'estimateGas' | 'getTransactionCount' | 'sendRawTransaction'>

/** `connectChain` with the actions for sending; likewise created per use, never at module scope. */
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

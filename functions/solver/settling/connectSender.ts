import type { Client, Hex, PublicActions } from 'viem'
import { estimateGas, getTransactionCount, sendRawTransaction } from 'viem/actions'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'

/** A chain client that can also estimate and send transactions; only solver Workers include this code. */
export type SenderClient = ChainClient &
  Pick<PublicActions, 'estimateGas' | 'getTransactionCount'> & {
    /** sends a signed transaction, one function for each endpoint */
    submitters: readonly ((raw: Hex) => Promise<unknown>)[]
  }

/**
 * `connectChain` with the actions for sending; likewise created per use, never at module scope.
 * @param submissionUrls JSON-RPC endpoints that receive the transactions; by default the node that is read
 */
export const connectSender = (
  rpcUrl: string,
  chainId: number,
  submissionUrls: readonly string[] = [rpcUrl],
): SenderClient => {
  const chain = connectChain(rpcUrl, chainId)
  const client = chain as unknown as Client
  return {
    ...chain,
    estimateGas: (args) => estimateGas(client, args),
    getTransactionCount: (args) => getTransactionCount(client, args),
    submitters: submissionUrls.map((url) => {
      const endpoint = (url === rpcUrl ? chain : connectChain(url, chainId)) as unknown as Client
      return (raw: Hex) => sendRawTransaction(endpoint, { serializedTransaction: raw })
    }),
  }
}

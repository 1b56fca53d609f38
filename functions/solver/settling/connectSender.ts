import { type Client, type Hex, numberToHex, type PublicActions, type Transport } from 'viem'
import { estimateGas, getTransactionCount, sendRawTransaction } from 'viem/actions'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'
import type { SubmissionEndpoint } from '../settings.ts'

/**
 * Sends a signed transaction to one endpoint.
 * @param lastBlock the last block that may include it; undefined: any
 */
export type Submit = (raw: Hex, lastBlock: number | undefined) => Promise<unknown>

/** A chain client that can also estimate and send transactions; only solver Workers include this code. */
export type SenderClient = ChainClient &
  Pick<PublicActions, 'estimateGas' | 'getTransactionCount'> & {
    submitters: readonly Submit[]
  }

/**
 * `connectChain` with the actions for sending; likewise created per use, never at module scope.
 * @param endpoints JSON-RPC endpoints that receive the transactions; by default the node that is read
 */
export const connectSender = (
  rpcUrl: string,
  chainId: number,
  endpoints: readonly SubmissionEndpoint[] = [rpcUrl],
): SenderClient => {
  const chain = connectChain(rpcUrl, chainId)
  const client = chain as unknown as Client
  return {
    ...chain,
    estimateGas: (args) => estimateGas(client, args),
    getTransactionCount: (args) => getTransactionCount(client, args),
    submitters: endpoints.map((endpoint) => {
      if (typeof endpoint !== 'string') return submitPrivately(connectChain(endpoint.url, chainId))
      const target = (endpoint === rpcUrl ? chain : connectChain(endpoint, chainId)) as unknown as Client
      return (raw: Hex) => sendRawTransaction(target, { serializedTransaction: raw })
    }),
  }
}

type PrivateTransaction = {
  Method: 'eth_sendPrivateTransaction'
  Parameters: [{ tx: Hex; maxBlockNumber?: Hex }]
  ReturnType: unknown
}

/**
 * The endpoint keeps the transaction out of the public mempool and forgets it after `lastBlock`
 * (https://docs.flashbots.net, eth_sendPrivateTransaction).
 */
const submitPrivately =
  (endpoint: ChainClient): Submit =>
  (raw, lastBlock) =>
    (endpoint as unknown as Client<Transport, undefined, undefined, [PrivateTransaction]>).request({
      method: 'eth_sendPrivateTransaction',
      params: [{ tx: raw, ...(lastBlock !== undefined && { maxBlockNumber: numberToHex(lastBlock) }) }],
    })

import type { Client, PublicActions } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { estimateGas, getTransactionCount } from 'viem/actions'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'
import { createSubmitter, isExpiring, type SubmissionEndpoint, type Submitter } from './createSubmitter.ts'

/** A chain client that can also estimate and send transactions; only solver Workers include this code. */
export type SenderClient = ChainClient &
  Pick<PublicActions, 'estimateGas' | 'getTransactionCount'> & {
    /** one for each endpoint */
    submitters: readonly Submitter[]
    /** whether none of the endpoints includes a transaction after its deadline */
    isExpiring: boolean
  }

/**
 * `connectChain` with the actions for sending; likewise created per use, never at module scope.
 * @param account by which private endpoints recognise the sender
 * @param endpoints that receive the transactions; by default the node that is read
 */
export const connectSender = (
  rpcUrl: string,
  chainId: number,
  account: LocalAccount,
  endpoints: readonly SubmissionEndpoint[] = [{ url: rpcUrl, kind: 'mempool' }],
): SenderClient => {
  const chain = connectChain(rpcUrl, chainId)
  const client = chain as unknown as Client
  return {
    ...chain,
    estimateGas: (args) => estimateGas(client, args),
    getTransactionCount: (args) => getTransactionCount(client, args),
    submitters: endpoints.map((endpoint) => createSubmitter(endpoint, chainId, account)),
    isExpiring: isExpiring(endpoints),
  }
}

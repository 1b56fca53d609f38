import {
  type AccessList,
  type Address,
  type Client,
  formatTransactionRequest,
  type Hex,
  numberToHex,
  type PublicActions,
} from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { getTransactionCount } from 'viem/actions'
import { type ChainClient, connectChain } from '#shared/chain/connectChain.ts'
import type { NextBlock } from '#shared/chain/nextBlock.ts'
import { createSubmitter, isExpiring, type SubmissionEndpoint, type Submitter } from './createSubmitter.ts'
import type { SendingTerms } from './findSendingTerms.ts'

/**
 * `eth_estimateGas` on the newest state, or the pending one, with the facts of another block.
 * @returns gas units
 */
type EstimateGas = (
  transaction: SendingTerms & {
    account: Address
    to: Address
    data: Hex
    accessList: AccessList
    blockTag?: 'pending'
  },
  block: NextBlock | undefined,
) => Promise<bigint>

/** A chain client that can also estimate and send transactions; only solver Workers include this code. */
export type SenderClient = ChainClient &
  Pick<PublicActions, 'getTransactionCount'> & {
    estimateGas: EstimateGas
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
    // viem's has no facts of a block
    estimateGas: async ({ account: from, blockTag = 'latest', ...transaction }, block) => {
      const request = formatTransactionRequest({ ...transaction, from })
      const facts = block && { number: numberToHex(block.number), time: numberToHex(block.time) }
      const params = [request, blockTag, ...(facts ? [{}, facts] : [])]
      return BigInt(await client.request({ method: 'eth_estimateGas', params } as never))
    },
    getTransactionCount: (args) => getTransactionCount(client, args),
    submitters: endpoints.map((endpoint) => createSubmitter(endpoint, chainId, account)),
    isExpiring: isExpiring(endpoints),
  }
}

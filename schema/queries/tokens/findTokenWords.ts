import type { Address } from 'viem'
import { connectChain } from '#shared/chain/connectChain.ts'
import type { Network } from '#shared/networks.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { findTokenFacts } from '#shared/tokens/findTokenFacts.ts'
import type { FindToken } from '#shared/tokens/tokenWords.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { Database } from '../../client.ts'
import { insertTokens, selectTokens } from './tokens.ts'

/** Longest wait of a sentence for the node. */
const timeoutMs = 1_000

/**
 * Known metadata of tokens of one network, for a sentence: from the database, else from the node within a second. Never
 * rejects.
 */
export const findTokenWords = async (
  { network, database, rpcUrl }: { network: Network; database: Database; rpcUrl: string },
  tokens: readonly Address[],
): Promise<FindToken> => {
  const { chainId } = network
  const book = await findTokenFacts(
    {
      isServed: () => true,
      selectTokens: (wanted) => selectTokens(database, wanted),
      findTokenDetails: (_, addresses) =>
        withDeadline(findTokenDetails(connectChain(rpcUrl), network, addresses), timeoutMs),
      insertTokens: (found) => insertTokens(database, found),
    },
    tokens.map((address) => ({ chainId, address })),
  ).catch(() => undefined)
  return (token) => book?.find(chainId, token)
}

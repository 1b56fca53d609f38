import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Account, findBalances, type Holding } from './findBalances.ts'

/** More may take several calls of the node, which have to read the same block. */
const maxTokensAtHead = 60

/**
 * What an account has of several tokens, and their details, all of one block. No token keeps the others from being read: anyone
 * can give an account a token.
 * @param tokens in lower case, without duplicates
 * @returns in the order of `tokens`
 * @throws Error when the node fails
 */
export const findHoldings = async (
  chain: ChainClient,
  account: Account,
  tokens: readonly Address[],
): Promise<Holding[]> => {
  const at = tokens.length > maxTokensAtHead ? { blockNumber: await chain.getBlockNumber() } : {}
  return findBalances(chain, account, tokens, { describe: true, ...at })
}

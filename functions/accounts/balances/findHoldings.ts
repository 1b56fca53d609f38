import type { Address } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Account, type AccountHolding, findAccountBalances } from './findAccountBalances.ts'

/** More tokens may take several calls of the node, which must read the same block. */
const maxTokensAtHead = 60

/**
 * Balances and allowances of an account in several tokens, with their details, all of one block. A failing token does not
 * block the others, because anyone can send a token to an account.
 * @param tokens in lower case, without duplicates
 * @returns in the order of `tokens`
 * @throws Error when the node fails
 */
export const findHoldings = async (
  chain: ChainClient,
  account: Account,
  tokens: readonly Address[],
): Promise<AccountHolding[]> => {
  const at = tokens.length > maxTokensAtHead ? { blockNumber: await chain.getBlockNumber() } : {}
  return findAccountBalances(chain, account, tokens, { describe: true, ...at })
}

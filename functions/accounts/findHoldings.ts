import type { Address } from 'viem'
import { askInHalves } from '#shared/chain/askInHalves.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Account, findBalances, type Holding } from './findBalances.ts'

/**
 * What an account has of several tokens, and what they are, all of one block: in one round trip, unless one of them keeps the
 * others from being read. Anybody can give an account such a token.
 * @param tokens in lower case, without duplicates
 * @returns in the order of `tokens`
 * @throws Error when the node fails
 */
export const findHoldings = (chain: ChainClient, account: Account, tokens: readonly Address[]): Promise<Holding[]> => {
  let head: Promise<bigint> | undefined
  return askInHalves(tokens, {
    askAll: (all) => findBalances(chain, account, all, { describe: true }),
    askPart: async (part, gas) => {
      head ??= chain.getBlockNumber()
      return findBalances(chain, account, part, { describe: true, blockNumber: await head, gas })
    },
    isTold: ({ fault }) => fault !== 'reverted',
  })
}

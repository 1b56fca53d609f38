import { buildHoldingCalls } from '#shared/chain/calls/balanceCalls.ts'
import { callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import { readWord } from '#shared/chain/calls/readWord.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import type { HeldToken, Holding } from './createBalanceReader.ts'

/** Gas units per call, sufficient for any balance; at most 16 `eth_call`s, of which 500 ordinary tokens need a few. */
const bounds = { gasEach: 200_000n, maxRequests: 16 }

/**
 * Reads balances and vault relayer allowances of accounts, all of one block. The allowance of the native token is 0.
 * @returns in the order of `tokens`
 * @throws Error when the node fails; an outage is never reported as a failing token
 */
export const findHoldings = async (
  chain: Pick<ChainClient, 'call'>,
  network: Network,
  tokens: readonly HeldToken[],
  blockNumber: bigint,
): Promise<Holding[]> => {
  const calls = tokens.map(({ account, token }) => buildHoldingCalls(network, account, token))
  const outcomes = await callTogether(chain, calls.flat(), { ...bounds, blockNumber })
  const amounts = outcomes.map((outcome) => readWord(toReturned(outcome)))
  let next = 0
  return tokens.map(({ token }, i) => {
    const [balance, allowance] = amounts.slice(next, next + (calls[i]?.length ?? 0))
    next += calls[i]?.length ?? 0
    return { balance, allowance: token === nativeSentinel ? 0n : allowance }
  })
}

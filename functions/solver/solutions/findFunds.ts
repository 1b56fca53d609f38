import type { Address } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import { encodeAllowance, encodeBalance } from '#shared/chain/calls/balanceCalls.ts'
import { callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import { readWord } from '#shared/chain/calls/readWord.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { toOwnerTokenKey } from '../batches/toOwnerTokenKey.ts'
import { takeTurn } from '../takeTurn.ts'

/** maximum number of owner and token combinations read per auction, in turn, two small reads each */
const maxHoldings = 2_000
/** Gas units per read: ordinary tokens take a third; holdings of hostile tokens stay unbounded. */
const bounds = { gasEach: 100_000n, maxRequests: 30 }
/** time limit of all reads together */
const timeoutMs = 1_500

/**
 * Finds the owners' available funds, which the auction does not state: the lesser of balance and allowance to the vault
 * relayer, sell token atoms, by `toOwnerTokenKey`. There is no entry, hence no bound, where funds are unknown: for
 * orders whose hooks may add tokens or approvals, for tokens that do not respond, and beyond the maximum number of
 * reads.
 * @param turn see `takeTurn`
 * @throws viem errors when the node fails
 */
export const findFunds = async (
  client: ChainClient,
  vaultRelayer: Address,
  orders: readonly AuctionOrder[],
  turn = 0,
): Promise<Map<string, bigint>> => {
  const holdings = new Map<string, { owner: Address; token: Address }>()
  const unbounded = new Set<string>()
  for (const { owner, sellToken: token, preInteractions } of orders) {
    const key = toOwnerTokenKey(owner, token)
    if (preInteractions.length > 0) unbounded.add(key)
    else holdings.set(key, { owner, token })
  }
  const bounded = [...holdings].filter(([key]) => !unbounded.has(key))
  const inTurn = takeTurn(bounded, turn, maxHoldings)
  if (inTurn.length === 0) return new Map()
  const calls = inTurn.flatMap(([, { owner, token }]) =>
    [encodeBalance(owner), encodeAllowance(owner, vaultRelayer)].map((callData) => ({ target: token, callData })),
  )
  const outcomes = await callTogether(client, calls, { ...bounds, signal: AbortSignal.timeout(timeoutMs) })
  const funds = new Map<string, bigint>()
  for (const [i, [key]] of inTurn.entries()) {
    const [balance, allowance] = outcomes.slice(2 * i, 2 * i + 2).map((outcome) => readWord(toReturned(outcome)))
    if (balance !== undefined && allowance !== undefined) funds.set(key, minOf(balance, allowance))
  }
  return funds
}

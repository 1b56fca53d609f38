import { type Address, encodeFunctionData } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import { type CallOutcome, callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { toHoldingKey } from '../batches/toHoldingKey.ts'

/** owners and tokens that are asked for in one auction, two small reads each */
const maxHoldings = 2_000
/** Gas units that ordinary tokens take a third of; holdings of hostile ones are left without a bound. */
const bounds = { gasEach: 100_000n, maxRequests: 30 }
/** for all of them together */
const timeoutMs = 1_500

/**
 * What owners can pay now: the lesser of balance and allowance to the vault relayer, sell token atoms, by `toHoldingKey`. An
 * auction does not say it. There is no entry, and so no bound, where it cannot be known: for orders whose hooks may bring
 * tokens or approvals, for tokens that do not respond, and beyond the bound of one auction.
 * @throws viem errors when the chain cannot be asked
 */
export const findFunds = async (
  client: ChainClient,
  vaultRelayer: Address,
  orders: readonly AuctionOrder[],
): Promise<Map<string, bigint>> => {
  const holdings = new Map<string, { owner: Address; token: Address }>()
  const unbounded = new Set<string>()
  for (const { owner, sellToken: token, preInteractions } of orders) {
    const key = toHoldingKey(owner, token)
    if (preInteractions.length > 0) unbounded.add(key)
    else if (holdings.size < maxHoldings) holdings.set(key, { owner, token })
  }
  const asked = [...holdings].filter(([key]) => !unbounded.has(key))
  if (asked.length === 0) return new Map()
  const calls = asked.flatMap(([, { owner, token }]) =>
    [
      encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
      encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, vaultRelayer] }),
    ].map((callData) => ({ target: token, callData })),
  )
  const outcomes = await callTogether(client, calls, { ...bounds, signal: AbortSignal.timeout(timeoutMs) })
  const funds = new Map<string, bigint>()
  for (const [i, [key]] of asked.entries()) {
    const [balance, allowance] = outcomes.slice(2 * i, 2 * i + 2).map(toAmount)
    if (balance !== undefined && allowance !== undefined) funds.set(key, minOf(balance, allowance))
  }
  return funds
}

const toAmount = (outcome: CallOutcome): bigint | undefined => {
  const data = toReturned(outcome)
  return data && data.length >= 66 ? BigInt(data.slice(0, 66)) : undefined
}

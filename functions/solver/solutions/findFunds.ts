import type { Address } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { multicallBytes } from '../pools/multicallBytes.ts'
import { toHoldingKey } from './toHoldingKey.ts'

/** owners and tokens that are asked for in one auction, two small reads each */
const maxHoldings = 2_000

/**
 * What owners can pay now: the lesser of balance and allowance to the vault relayer, sell token atoms, by `toHoldingKey`. An
 * auction does not say it. There is no entry, and so no bound, where it cannot be known: for orders whose hooks may bring
 * tokens or approvals, for tokens that do not answer, and beyond the bound of one auction.
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
  const answers = await client.multicall({
    contracts: asked.flatMap(([, { owner, token }]) => [
      { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const,
      { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, vaultRelayer] } as const,
    ]),
    allowFailure: true,
    batchSize: multicallBytes,
  })
  const funds = new Map<string, bigint>()
  for (const [i, [key]] of asked.entries()) {
    const [balance, allowance] = [answers[2 * i]?.result, answers[2 * i + 1]?.result]
    if (balance !== undefined && allowance !== undefined) funds.set(key, minOf(balance, allowance))
  }
  return funds
}

import type { Address, Hex } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { toContractSignature } from '#shared/signing/toContractSignature.ts'
import type { AuctionOrder, SolveRequest } from '#shared/solvers/driverApi.ts'
import { type Batch, buildBatch, type Market } from './buildBatch.ts'
import { buildBatches } from './buildBatches.ts'
import { buildJointSolution } from './buildJointSolution.ts'
import { buildPaths } from './buildPaths.ts'
import { buildSettlement } from './buildSettlement.ts'
import { buildSolution, type Solution } from './buildSolution.ts'
import { findPools } from './findPools.ts'
import type { RoutingDeps } from './findQuote.ts'
import { findRevertReason } from './findRevertReason.ts'

/** batches that are simulated and proposed, the best ones */
const maxBatches = 10

/** no sane token is worth more, and below it no score overflows */
const maxPrice = 2n ** 128n

/** A solution and the calldata that settles it. */
export interface EncodedSolution extends Solution {
  calldata: Hex
}

/**
 * What this solver proposes for an auction: for each directed pair the orders that can be filled at one price, and one
 * solution that settles several pairs at once (`buildBatches`, `buildJointSolution`). Every solution has been simulated on the
 * latest block. A batch that reverts is split: its orders are simulated one by one, and those that pass make a new batch,
 * so that one bad order does not hold up the others.
 *
 * Two solutions may move the same pool, each computed as if it came first. When both win, the later one may fail its
 * simulation before it is sent; its orders then wait for the next auction.
 * @param nowMs clock, Unix milliseconds
 * @param report gets each solution as soon as it is known to settle
 */
export const findSolutions = async (
  client: ChainClient,
  deps: RoutingDeps,
  auction: SolveRequest,
  nowMs: number,
  report: (solution: EncodedSolution) => void,
): Promise<void> => {
  const orders = auction.orders.filter((order) => isSettleable(order, nowMs))
  const buildMarketPaths = memoizePaths(deps)
  const paths = new Set(orders.flatMap(({ sellToken, buyToken }) => buildMarketPaths(sellToken, buyToken)))
  const [pools, gasPrice] = await Promise.all([findPools(client, deps.factory, paths), client.getGasPrice()])
  const market: Market = { pools, gasPrice, buildPaths: buildMarketPaths, prices: readPrices(auction, deps) }
  const auctionId = BigInt(auction.id)

  const simulate = async (solution: Solution | undefined): Promise<EncodedSolution | undefined> => {
    if (!solution) return undefined
    const calldata = buildSettlement(solution, auctionId, deps.network)
    const call = { account: deps.solver, to: deps.network.settlementContract, data: calldata }
    const reason = await findRevertReason(client, call)
    if (reason === undefined) return { ...solution, calldata }
    console.log(JSON.stringify({ message: 'solution reverts', auctionId: auction.id, reason }))
    return undefined
  }
  const simulateOrders = async (orders: AuctionOrder[]): Promise<EncodedSolution | undefined> => {
    const batch = buildBatch(market, orders)
    return simulate(batch && buildSolution([batch]))
  }
  const repairBatch = async ({ fills }: Batch): Promise<EncodedSolution | undefined> => {
    if (fills.length === 1) return undefined
    const singles = await Promise.all(fills.map(({ order }) => simulateOrders([order])))
    const passed = fills.flatMap(({ order }, i) => (singles[i] ? [order] : []))
    const repaired = passed.length > 1 ? await simulateOrders(passed) : undefined
    return repaired ?? singles.find((single) => single !== undefined)
  }
  const settleBatch = async (batch: Batch): Promise<Batch[]> => {
    const solution = (await simulate(buildSolution([batch]))) ?? (await repairBatch(batch))
    if (solution) report(solution)
    return solution?.batches ?? []
  }

  const batches = await Promise.all(buildBatches(market, orders).slice(0, maxBatches).map(settleBatch))
  const joint = await simulate(buildJointSolution(batches.flat()))
  if (joint) report(joint)
}

/** Whether this solver can settle the order at all; its price is another question. */
const isSettleable = (order: AuctionOrder, nowMs: number): boolean =>
  order.sellTokenBalance === 'erc20' &&
  order.buyTokenBalance === 'erc20' &&
  order.sellToken !== order.buyToken &&
  order.sellToken !== nativeSentinel &&
  order.sellAmount > 0n &&
  order.buyAmount > 0n &&
  order.validTo * 1000 > nowMs &&
  isEncodable(order)

const isEncodable = ({ signingScheme, owner, signature }: AuctionOrder): boolean => {
  try {
    toContractSignature(signingScheme, owner, signature)
    return true
  } catch {
    return false
  }
}

const memoizePaths = ({ network, strategy, baseTokens }: RoutingDeps): Market['buildPaths'] => {
  const known = new Map<string, Address[][]>()
  return (sellToken, buyToken) => {
    const bought = buyToken === nativeSentinel ? network.wrappedNative : buyToken
    const key = `${sellToken}${bought}`
    const paths = known.get(key) ?? buildPaths(sellToken, bought, strategy, baseTokens)
    known.set(key, paths)
    return paths
  }
}

const readPrices = ({ tokens }: SolveRequest, { network }: RoutingDeps): Map<Address, bigint> => {
  const prices = new Map<Address, bigint>()
  for (const { address, price } of tokens) {
    if (price !== null && price > 0n && price < maxPrice) prices.set(address, price)
  }
  const nativePrice = prices.get(nativeSentinel) ?? prices.get(network.wrappedNative)
  if (nativePrice !== undefined) prices.set(nativeSentinel, nativePrice)
  return prices
}

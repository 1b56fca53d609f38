import type { Address } from 'viem'
import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { buildBestBatch } from '../batches/buildSplitBatch.ts'
import { withTolerance } from '../batches/listPairRoutes.ts'
import type { OrderFill } from '../fills/buildFill.ts'
import { computePaid, type Executed } from '../fills/executed.ts'
import type { SolutionDraft } from './buildDraft.ts'
import { sharesPool } from './buildJointSolution.ts'
import { buildSolution, type Solution } from './buildSolution.ts'

/** tolerances tried in this order: the largest one with which every order gets what was proposed is used */
const toleranceDivisors = [1n, 2n, 4n, 8n]

/**
 * Computes a proposed solution again for newer pools: the same orders and amounts to trade, along the routes that are
 * best now, with the network fees of the search. What the pools give beyond the proposed amounts goes to the orders,
 * except the tolerance.
 * @param market newer pools; its tolerance is the most that may be left to the pools
 * @returns undefined when an order would get less than proposed
 */
export const repriceSolution = (
  { gasPrice, dataGas = 0n, feeTokens = [], prices, batches }: SolutionDraft,
  market: Pick<BatchMarket, 'pools' | 'buildPaths' | 'tolerance'>,
  wrappedNative: Address,
): Solution | undefined => {
  const current: BatchMarket = {
    ...market,
    gasPrice,
    dataGas,
    wrappedNative,
    feeTokens: new Map(feeTokens),
    prices: new Map(prices),
    funds: new Map(),
  }
  const tolerances = [...new Set([...toleranceDivisors.map((divisor) => market.tolerance / divisor), 0n])]
  const markets = tolerances.map((tolerance) => withTolerance(current, tolerance))
  const repriced: Batch[] = []
  for (const batch of batches) {
    const found = repriceBatch(markets, batch)
    if (!found || repriced.some((other) => sharesPool(other, found))) return undefined
    repriced.push(found)
  }
  return buildSolution(repriced, wrappedNative)
}

const repriceBatch = (
  markets: readonly BatchMarket[],
  { requests, promised }: SolutionDraft['batches'][number],
): Batch | undefined => {
  for (const market of markets) {
    const batch = buildBestBatch(market, requests)
    if (batch?.fills.every((fill, i) => keepsPromise(fill, promised[i]))) return batch
  }
  return undefined
}

/** Whether an order buys at least as much as proposed, at the same rate or a better one, for at most the same payment. */
const keepsPromise = (fill: OrderFill, promised: Executed | undefined): boolean =>
  promised !== undefined &&
  fill.executedBuy >= promised.executedBuy &&
  computePaid(fill) <= promised.executedSell &&
  computePaid(fill) * promised.executedBuy <= promised.executedSell * fill.executedBuy

import type { Address } from 'viem'
import { compareDescending } from '#shared/amounts/compareDescending.ts'
import { wrapToken } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { type Batch, type Request, toRequest } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { compareLimitPrices } from '../batches/compareLimitPrices.ts'
import { computeMost } from '../batches/computeMost.ts'
import { listPairRoutes } from '../batches/listPairRoutes.ts'
import type { OrderFill } from '../fills/buildFill.ts'
import { buildMatch } from './buildMatch.ts'
import { computeMostGiven, type Side, toTrades } from './toTrades.ts'

/** orders per direction that are matched with each other: of those that pay for their gas, the most generous limits */
const maxOpposites = 3
/** matches per pair that are simulated if the better ones revert */
const maxMatches = 3
/** routes for a rest, those with the best prices */
const maxWays = 2

/** Orders of both directions that trade at one price; matches of one pair have the same `pair`. */
export type PairMatch = { pair: string; match: Batch }

/**
 * Builds the matches of each pair with orders in both directions, best score first: the two batches of the pair as a
 * whole, and single orders with each other. Matches that are unfair to a direction are dropped.
 * @param batches from `buildBatches`, of the same orders
 */
export const buildMatches = (
  market: BatchMarket,
  orders: readonly AuctionOrder[],
  batches: readonly Batch[],
  wrappedNative: Address,
): PairMatch[] => {
  const wrap = (token: Address) => wrapToken(token, wrappedNative)
  // the native token is the wrapped one
  const toDirection: ToDirection = ({ sellToken, buyToken }) => `${wrap(sellToken)}-${wrap(buyToken)}`
  const directions = Map.groupBy(orders, toDirection)
  const alone = new Map(batches.flatMap(({ fills }) => fills.map((fill) => [fill.order.uid as string, fill])))
  const best = new Map(batches.toReversed().map((batch) => [toDirection(batch), batch]))

  return [...directions].flatMap(([direction, selling]) => {
    const [first] = selling
    if (!first || wrap(first.sellToken) >= wrap(first.buyToken)) return []
    const opposite = toDirection({ sellToken: first.buyToken, buyToken: first.sellToken })
    const [forward, backward] = [
      listSides(market, selling, best.get(direction), alone),
      listSides(market, directions.get(opposite) ?? [], best.get(opposite), alone),
    ]
    return forward
      .flatMap((side) => backward.flatMap((other) => buildMatch(market, side, other)))
      .filter((match) => isFair(match, best, toDirection))
      .sort((a, b) => compareDescending(a.score, b.score))
      .slice(0, maxMatches)
      .map((match) => ({ pair: direction, match }))
  })
}

type ToDirection = (pair: Pick<AuctionOrder, 'sellToken' | 'buyToken'>) => string

/** Whether each direction scores at least as much as in its batch alone: the auction rejects others as unfair. */
const isFair = ({ fills }: Batch, best: ReadonlyMap<string, Batch>, toDirection: ToDirection): boolean =>
  [...Map.groupBy(fills, ({ order }) => toDirection(order))].every(
    ([direction, same]) => same.reduce((sum, { score }) => sum + score, 0n) >= (best.get(direction)?.score ?? 0n),
  )

/** Candidates of one direction: its best batch as a whole, and each of its most generous orders alone. */
const listSides = (
  market: BatchMarket,
  orders: readonly AuctionOrder[],
  batch: Batch | undefined,
  alone: ReadonlyMap<string, OrderFill>,
): Side[] => {
  const [first] = orders
  if (!first) return []
  const ways = listPairRoutes(market, first)
    .slice(0, maxWays)
    .map(({ legs }) => legs)
  const singles: Request[][] = []
  for (const order of orders.toSorted(compareLimitPrices)) {
    const requests = [{ order, amount: computeMost(market, [], order) }]
    const trades = toTrades(market, { requests, ways, alone })
    // dust has the most generous limits at no cost
    if (trades?.every((trade) => computeMostGiven(trade) > 0n)) singles.push(requests)
    if (singles.length === maxOpposites) break
  }
  // the partially fillable one comes last
  const whole = batch && batch.fills.length > 1 ? [batch.fills.map(toRequest).sort(comparePartial)] : []
  return [...whole, ...singles].map((requests) => ({ requests, ways, alone }))
}

const comparePartial = (a: Request, b: Request): number =>
  Number(a.order.partiallyFillable) - Number(b.order.partiallyFillable)

import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { buildLegs, type Leg } from '../routing/buildLegs.ts'
import { computeSpotAlong } from '../routing/computeSpot.ts'
import { isBetterRate, type Rate } from '../routing/rate.ts'
import type { BatchMarket } from './batchMarket.ts'

/** maximum number of routes per trade: those with the best prices */
const maxWays = 8

/** A route between two tokens, and its rate for an infinitesimal trade. */
export interface RouteCandidate {
  legs: Leg[]
  spot: Rate
}

/** orders of one pair request the same few routes repeatedly */
const knownRoutes = new WeakMap<BatchMarket, Map<string, RouteCandidate[]>>()

/** The same market with another tolerance. */
export const withTolerance = (market: BatchMarket, tolerance: bigint): BatchMarket => {
  const other = { ...market, tolerance }
  knownRoutes.set(other, readKnownRoutes(market))
  return other
}

export const readKnownRoutes = (market: BatchMarket): Map<string, RouteCandidate[]> => {
  const known = knownRoutes.get(market) ?? new Map<string, RouteCandidate[]>()
  knownRoutes.set(market, known)
  return known
}

/** Routes between the tokens of an order, best price first. */
export const listPairRoutes = (
  market: BatchMarket,
  { sellToken, buyToken }: Pick<AuctionOrder, 'sellToken' | 'buyToken'>,
): RouteCandidate[] => {
  const known = readKnownRoutes(market)
  const key = `${sellToken}${buyToken}`
  const ways =
    known.get(key) ??
    market
      .buildPaths(sellToken, buyToken)
      .flatMap((path) => buildLegs(market.pools, path))
      .map((legs): RouteCandidate => ({ legs, spot: computeSpotAlong(legs) }))
      .sort((a, b) => (isBetterRate(a.spot, b.spot) ? -1 : isBetterRate(b.spot, a.spot) ? 1 : 0))
      .slice(0, maxWays)
  known.set(key, ways)
  return ways
}

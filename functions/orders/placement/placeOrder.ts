import type { Hex } from 'viem'
import type { Database } from '#schema/client.ts'
import type { OrderBounds } from '#schema/queries/orders/orderBounds.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { type PlacementQuery, selectPlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import type { FoundPricing } from '#schema/queries/orders/pricing.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'
import { checkNotPaused, type FindPauses } from '#shared/pauses/pauses.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { type CheckDeps, checkNewOrder } from './checkNewOrder.ts'
import { checkPlaced } from './checkPlaced.ts'

export type PlacementDeps = CheckDeps & {
  database: Database
  findPauses: FindPauses
  /** maximum numbers of open orders */
  bounds: Omit<OrderBounds, 'now'>
  /** Unix milliseconds */
  now: () => number
}

/**
 * Why the quote that an order names is ignored; `mismatch`: its tokens, kind or amounts differ; `used`: it has made
 * another open order within the market.
 */
type QuoteIgnored = 'unknown' | 'expired' | 'mismatch' | 'used'

type PlacedOrder = { uid: Hex; quoteIgnored: QuoteIgnored | null }

/**
 * Checks a signed order and stores it. Takes one database round trip and one to the chain, none to the chain for
 * `presign`: the statement that writes the order checks the stored facts as well. Orders whose stored facts
 * `checkNewOrder` reads take one more.
 *
 * Placement requests no quote: quoting belongs to another Worker and would take seconds per order. An order without a
 * matching stored quote is a limit order without a quote, and counts as one outside the market.
 *
 * A signed order takes over an unsigned one with the same UID: a UID does not depend on the signing scheme, and a
 * stranger can send any terms as `presign` first.
 * @param submitter pseudonym under which unsigned orders are counted (`computeSubmitter`)
 * @returns the order's UID, and why its named quote is ignored, null when the quote counts or none is named
 */
export const placeOrder = async (
  deps: PlacementDeps,
  creation: OrderCreation,
  submitter: Hex,
): Promise<PlacedOrder> => {
  const { database, network, maxGas } = deps
  const receivedAt = deps.now()
  const now = toUnixSeconds(receivedAt)
  const findPlacementFacts = (order: PlacementQuery) => selectPlacementFacts(database, network.chainId, order, now)
  const { order, replacedOrder, hooks } = await checkNewOrder(deps, creation, findPlacementFacts, now)
  // after the order's own faults, whose errors the client can mend
  checkNotPaused(await deps.findPauses(), 'orders', order)
  const { owner, signingScheme } = order
  const outcome = await insertOrder(
    database,
    {
      ...order,
      admissionMs: Math.max(0, deps.now() - receivedAt),
      submittedBy: signingScheme === 'presign' ? submitter : null,
    },
    replacedOrder && { uid: replacedOrder, now },
    { ...deps.bounds, now },
    { now, maxGas },
  )
  checkPlaced(outcome, { owner, signingScheme, replacedOrder, hooks }, maxGas, now)
  return { uid: order.uid, quoteIgnored: computeQuoteIgnored(creation.quoteId, outcome, now) }
}

const computeQuoteIgnored = (
  named: number | null | undefined,
  { quote, isQuoteUsed, namedUntil }: FoundPricing,
  now: number,
): QuoteIgnored | null => {
  if (typeof named !== 'number') return null
  if (quote?.quoteId === named) return isQuoteUsed ? 'used' : null
  if (!namedUntil) return 'unknown'
  return namedUntil.getTime() < now * 1_000 ? 'expired' : 'mismatch'
}

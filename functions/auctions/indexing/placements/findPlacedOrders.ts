import type { Hex } from 'viem'
import type { OnchainOrderEvents } from '#schema/queries/chain/insertContractEvents.ts'
import type { OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { findBlockTimes } from '../chain/findBlockTimes.ts'
import type { IndexingDeps } from '../indexingDeps.ts'
import { buildPlacedOrder } from './buildPlacedOrder.ts'
import { findReferences } from './findReferences.ts'
import type { RawOnchainEvents } from './readOnchainEvents.ts'

/**
 * Maximum size of the hooks of all orders placed in one range of blocks, in memory and in one transaction. Beyond it an
 * order has an equal share, so that hooks of strangers refuse no order with few or none.
 */
const maxHookBytes = 8 * 1024 * 1024

const withoutHooks = { preInteractions: [], postInteractions: [] }

/**
 * Builds orders from on-chain placements: with the hooks and `validFrom` of the document of their app data hash, if
 * known, and with the quote named by the placement, if it matches. No quote is requested from solvers: an order without
 * a stored quote is a limit order, as over the API.
 */
export const findPlacedOrders = async (
  deps: Pick<IndexingDeps, 'network' | 'database' | 'chain' | 'unsupportedTokens'>,
  { placements, cancellations, refunds }: RawOnchainEvents,
  blocks: readonly { number: number; timestamp: Date }[],
): Promise<OnchainOrderEvents> => {
  const events: OnchainOrderEvents = { placements: [], placedOrders: [], cancellations, refunds }
  if (placements.length === 0) return events
  const [references, timeOf] = await Promise.all([
    findReferences(deps, placements),
    findBlockTimes(
      deps.chain,
      placements.map(({ blockNumber }) => blockNumber),
      blocks,
    ),
  ])
  const known = new Set<Hex>()
  let hookBytes = 0
  for (const placement of placements) {
    const { blockNumber, logIndex, uid, contract, sender, userValidTo } = placement
    const placedAt = timeOf(blockNumber)
    const order = buildPlacedOrder(deps, placement, { ...references, placedAt })
    const ownBytes = computeBytes([...order.preInteractions, ...order.postInteractions])
    hookBytes += ownBytes
    const isTooMuch = hookBytes > maxHookBytes && ownBytes > maxHookBytes / placements.length
    const error = isTooMuch ? 'other' : order.placementError
    events.placements.push({ blockNumber, logIndex, orderUid: uid, contract, sender, userValidTo, error, placedAt })
    if (known.has(uid)) continue
    known.add(uid)
    events.placedOrders.push(isTooMuch ? { ...order, ...withoutHooks, placementError: error } : order)
  }
  return events
}

const computeBytes = (interactions: readonly OrderInteraction[]): number =>
  interactions.reduce((sum, { callData }) => sum + callData.length / 2, 0)

import { type Address, size } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { insertPart } from '#schema/queries/strategies/conditionalParts.ts'
import type { ConditionalKey } from '#schema/queries/strategies/selectDue.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { Evaluation } from '#shared/strategies/evaluation.ts'
import { readSignedPart } from '#shared/strategies/readSignedPart.ts'
import { buildPlacedOrder } from '../indexing/placements/buildPlacedOrder.ts'
import type { References } from '../indexing/placements/findReferences.ts'
import type { Placement } from '../indexing/placements/readPlacement.ts'
import type { PlacedPart } from './schedule.ts'
import type { StrategyDeps } from './strategyDeps.ts'

type Tradeable = Extract<Evaluation, { reason: 'partPlaced' }>

/** Maximum number of open orders of one owner, orders over the API included. */
const maxOpenOrders = 100
/** the same bound as for orders over the API */
const maxSignatureBytes = 8_192

/** The part of an evaluation as a placement by its owner; a text when the book does not accept it. */
export const readPart = (
  deps: Pick<StrategyDeps, 'network' | 'unsupportedTokens'>,
  owner: Address,
  { order: signed, signature }: Tradeable,
  { number, timestamp }: IndexedBlock,
): Placement | string => {
  const { network } = deps
  const order = readSignedPart(deps, signed, timestamp)
  if (typeof order === 'string') return order
  if (size(signature) > maxSignatureBytes) return 'its signature is too large'
  const domainSeparator = computeDomainSeparator(network.chainId, network.settlementContract)
  return {
    ...{ blockNumber: number, logIndex: 0, contract: owner, sender: owner, owner, order },
    ...{ uid: packOrderUid(computeOrderDigest(domainSeparator, order), owner, order.validTo) },
    ...{ signingScheme: 'eip1271', signature, quoteId: null, userValidTo: null },
  }
}

/**
 * Places a part of the conditional order `key` by the statement of all orders; a part that is in the database already stays
 * as it is.
 * @throws Error when the database fails
 */
export const placePart = async (
  deps: Pick<StrategyDeps, 'network' | 'database' | 'unsupportedTokens' | 'now'>,
  key: ConditionalKey,
  placement: Placement,
  references: References,
): Promise<PlacedPart> => {
  const { network, database } = deps
  const { placementError: _, quoteNotFound: __, ...row } = buildPlacedOrder(deps, placement, references)
  const now = deps.now()
  const order = {
    ...row,
    chainId: network.chainId,
    onchainUser: null,
    createdAt: new Date(now),
    fullAppData: null,
  }
  const bounds = {
    now: Math.floor(now / 1_000),
    limitOrders: maxOpenOrders,
    openOrders: maxOpenOrders,
    unsignedOfClient: 0,
    unsignedOrders: 0,
  }
  const { inserted, exceeded } = await insertOrder(database, order, null, bounds, null, [
    insertPart(database, network.chainId, key, { uid: placement.uid, placedBlock: placement.blockNumber }),
  ])
  if (exceeded) return { refusal: `its owner has ${exceeded.open} open orders` }
  return { uid: placement.uid, validTo: placement.order.validTo, isNew: inserted }
}

/** Documents by app data hash, so that parts have the hooks and fees that they sign. */
type Documents = References['documents']

export const toReferences = (documents: Documents, { timestamp }: IndexedBlock): References => ({
  documents,
  quotes: new Map(),
  placedAt: timestamp,
})

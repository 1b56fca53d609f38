import { type Address, encodeFunctionData, type Hex } from 'viem'
import {
  type OnchainOrderEvents,
  type PlacementQuote,
  selectPlacementReferences,
} from '#schema/queries/chain/onchainOrders.ts'
import { type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { buildHookInteractions, type OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { ApiError } from '#shared/http/errors.ts'
import { findBlockTimes } from '../chain/findBlockTimes.ts'
import type { ClockDeps } from '../clockDeps.ts'
import { computePlacementError } from './computePlacementError.ts'
import { ethFlowWrapAbi } from './ethFlowWrapAbi.ts'
import type { RawOnchainEvents } from './readOnchainEvents.ts'
import type { Placement } from './readPlacement.ts'

/** Bounded, because a document has up to 8 KiB. */
const documentsAtOnce = 200
/** Maximum size of the hooks of all orders placed in one range of blocks, in memory and in one transaction. */
const maxHookBytes = 8 * 1024 * 1024

const withoutHooks = { preInteractions: [], postInteractions: [] }

/** Facts that a placement refers to. */
type References = {
  documents: ReadonlyMap<Hex, ParsedAppData>
  quotes: ReadonlyMap<number, PlacementQuote>
  placedAt: Date
}

/**
 * Builds orders from on-chain placements: with the hooks and `validFrom` of the document of their app data hash, if
 * known, and with the quote named by the placement, if it matches. No quote is requested from solvers: an order without
 * a stored quote is a limit order, as over the API.
 */
export const findPlacedOrders = async (
  deps: Pick<ClockDeps, 'network' | 'database' | 'chain' | 'unsupportedTokens'>,
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
    const order = buildOrder(deps, placement, { ...references, placedAt })
    hookBytes += computeBytes([...order.preInteractions, ...order.postInteractions])
    const isTooMuch = hookBytes > maxHookBytes
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

const buildOrder = (
  { network, unsupportedTokens }: Pick<ClockDeps, 'network' | 'unsupportedTokens'>,
  placement: Placement,
  { documents, quotes, placedAt }: References,
) => {
  const { order, owner, contract, quoteId, userValidTo } = placement
  const meaning = documents.get(order.appDataHash)
  const named = quoteId === null ? undefined : quotes.get(quoteId)
  const placementError = computePlacementError(order, network, unsupportedTokens, named, placedAt)
  const quote = placementError === null ? named : undefined
  const { hooksTrampoline } = network
  return {
    ...order,
    uid: placement.uid,
    owner,
    receiver: /^0x0{40}$/.test(order.receiver) ? null : order.receiver,
    signingScheme: placement.signingScheme,
    signature: placement.signature,
    settlementContract: network.settlementContract,
    preInteractions: [
      ...(userValidTo === null ? [] : [wrapAll(contract)]),
      ...buildHookInteractions(hooksTrampoline, meaning?.hooks.pre ?? []),
    ],
    postInteractions: buildHookInteractions(hooksTrampoline, meaning?.hooks.post ?? []),
    partnerFees: meaning?.partnerFees ?? [],
    referrerCode: meaning?.referrerCode ?? null,
    validFrom: meaning?.validFrom ?? null,
    class: order.feeAmount === 0n ? ('limit' as const) : ('market' as const),
    quoteNotFound: quoteId !== null && !quotes.has(quoteId),
    quoteId: quote && fits(quote, placement, placedAt) ? quote.id : null,
    fullBalanceCheck: false,
    createdAt: placedAt,
    onchainUser: placement.sender,
    userValidTo,
    placementError,
  }
}

/** The contract holds the native token, and its order sells the wrapped one. */
const wrapAll = (contract: Address): OrderInteraction => ({
  target: contract,
  value: '0',
  callData: encodeFunctionData({ abi: ethFlowWrapAbi, functionName: 'wrapAll' }),
})

/**
 * Whether the quote matches the order and had not expired at its placement: its fee is the signed one, it matches as
 * for orders over the API, or its sell amount after the fee is the order's, as for some orders of the official SDK.
 */
const fits = (quote: PlacementQuote, { order }: Placement, placedAt: Date): boolean =>
  order.feeAmount > 0n ||
  (quote.sellToken === order.sellToken &&
    quote.buyToken === order.buyToken &&
    quote.kind === order.kind &&
    (order.kind === 'sell'
      ? quote.sellAmount === order.sellAmount || quote.sellAmount - quote.feeAmount === order.sellAmount
      : quote.buyAmount === order.buyAmount) &&
    quote.expiresAt >= placedAt)

const findReferences = async (
  { network, database }: Pick<ClockDeps, 'network' | 'database'>,
  placements: readonly Placement[],
): Promise<Omit<References, 'placedAt'>> => {
  const hashes = [...new Set(placements.map(({ order }) => order.appDataHash))]
  const quoteIds = [...new Set(placements.flatMap(({ quoteId }) => quoteId ?? []))]
  const documents = new Map<Hex, ParsedAppData>()
  const quotes = new Map<number, PlacementQuote>()
  for (let i = 0; i < Math.max(hashes.length, quoteIds.length); i += documentsAtOnce) {
    const asked = { hashes: hashes.slice(i, i + documentsAtOnce), quoteIds: quoteIds.slice(i, i + documentsAtOnce) }
    const found = await selectPlacementReferences(database, network.chainId, asked)
    for (const [id, quote] of found.quotes) quotes.set(id, quote)
    for (const [hash, document] of found.documents) {
      const meaning = readMeaning(document)
      if (meaning) documents.set(hash, meaning)
    }
  }
  return { documents, quotes }
}

const readMeaning = (document: string): ParsedAppData | undefined => {
  try {
    return parseAppData(document)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

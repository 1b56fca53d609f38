import { type Address, encodeFunctionData } from 'viem'
import type { PlacementQuote } from '#schema/queries/chain/selectPlacementReferences.ts'
import { buildHookInteractions, type OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { computePlacementError } from '#shared/orders/computePlacementError.ts'
import type { IndexingDeps } from '../indexingDeps.ts'
import { ethFlowWrapAbi } from './ethFlowWrapAbi.ts'
import type { References } from './findReferences.ts'
import type { Placement } from './readPlacement.ts'

/** Builds the row of an order from its placement and the facts that it refers to. */
export const buildPlacedOrder = (
  { network, unsupportedTokens }: Pick<IndexingDeps, 'network' | 'unsupportedTokens'>,
  placement: Placement,
  { documents, quotes, placedAt }: References,
) => {
  const { order, owner, contract, quoteId, userValidTo } = placement
  const appData = documents.get(order.appDataHash)
  const named = quoteId === null ? undefined : quotes.get(quoteId)
  // a contract that sells ether for its users has no way to return other tokens
  const isLost = userValidTo !== null && order.receiver === contract
  const termsError = computePlacementError(order, network, unsupportedTokens, appData ?? null, named, placedAt)
  const placementError = isLost ? 'other' : termsError
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
      ...buildHookInteractions(hooksTrampoline, appData?.hooks.pre ?? []),
    ],
    postInteractions: buildHookInteractions(hooksTrampoline, appData?.hooks.post ?? []),
    partnerFees: appData?.partnerFees ?? [],
    referrerCode: appData?.referrerCode ?? null,
    validFrom: appData?.validFrom ?? null,
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

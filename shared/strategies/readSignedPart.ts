import type { Address } from 'viem'
import type { Network } from '../networks.ts'
import { computePlacementError } from '../orders/computePlacementError.ts'
import type { Order } from '../signing/order.ts'
import { type PlacedOrder, readPlacedOrder } from '../signing/readPlacedOrder.ts'

/** What the book needs to know of a network to judge a part. */
export type PartRules = {
  network: Pick<Network, 'wrappedNative' | 'settlementContract' | 'vaultRelayer'>
  unsupportedTokens: ReadonlySet<Address>
}

/** The order of a part, as its handler returned it in a block of this time; a text when the book does not accept it. */
export const readSignedPart = (
  { network, unsupportedTokens }: PartRules,
  signed: PlacedOrder,
  at: Date,
): Order | string => {
  const order = readPlacedOrder(signed)
  if (!order) return 'an unknown kind or balance'
  if (order.validTo < at.getTime() / 1_000) return 'it has expired'
  const error = computePlacementError(order, network, unsupportedTokens, null, undefined, at)
  return error === null ? order : refusals[error]
}

const refusals: Record<NonNullable<ReturnType<typeof computePlacementError>>, string> = {
  preValidationError: 'a token that is not supported',
  nonZeroFee: 'a signed fee',
  other: 'terms that no settlement can meet',
}

import type { Address, Hex } from 'viem'
import type { InsertOutcome } from '#schema/queries/orders/orders.ts'
import type { Hooks } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import { checkGas } from '#shared/orders/checkGas.ts'
import type { SigningScheme } from '#shared/signing/signingScheme.ts'
import { checkCancellable } from '../cancellation/checkCancellable.ts'
import { canTakeOver } from './canTakeOver.ts'
import { checkBounds } from './checkBounds.ts'
import { checkNotDuplicate } from './checkNotDuplicate.ts'

/**
 * Checks the result of an insert: throws when the order exists already, its quote needs too much gas, a limit is reached, or
 * the order to replace cannot be replaced.
 * @param maxGas gas units
 * @param now Unix seconds
 * @throws ApiError `DuplicatedOrder`, `TooMuchGas`, those of `checkBounds`; for the order to replace `OrderNotFound`, those of
 *   `checkCancellable`, `WrongOwner`, `OldOrderActivelyBidOn`; `ServiceUnavailable` when the obstacle is gone by now
 */
export const checkPlaced = (
  { inserted, stored, quote, exceeded, replaced }: InsertOutcome,
  order: { owner: Address; signingScheme: SigningScheme; replacedOrder: Hex | null; hooks: Hooks },
  maxGas: bigint,
  now: number,
): void => {
  if (inserted) return
  if (stored && !canTakeOver(stored, order.signingScheme)) checkNotDuplicate(stored, now)
  checkGas(order.hooks, quote, maxGas)
  checkBounds(exceeded)
  if (order.replacedOrder) checkReplaceable(order.replacedOrder, order.owner, replaced, now)
  throw new ApiError('ServiceUnavailable', { data: { dependency: 'database', retryable: true } })
}

const checkReplaceable = (uid: Hex, owner: Address, replaced: InsertOutcome['replaced'], now: number): void => {
  if (!replaced) {
    throw new ApiError('OrderNotFound', { description: 'the order to replace does not exist', data: { uid } })
  }
  checkCancellable(replaced, now)
  if (replaced.owner !== owner) {
    throw new ApiError('WrongOwner', { data: { uid, signer: owner, expected: replaced.owner } })
  }
  if (replaced.activeAuctionId !== null) {
    throw new ApiError('OldOrderActivelyBidOn', { data: { uid, auctionId: replaced.activeAuctionId } })
  }
}

import type { Address } from 'viem'
import type { Candidate } from '#schema/queries/solvableOrders.ts'
import { computeRemaining } from './computeRemaining.ts'
import { toHoldingKey } from './findBalances.ts'

/** Why an order stays out of an auction: `invalid` cannot settle now, `filtered` could but is left out. */
export type Exclusion =
  | { label: 'invalid'; reason: 'invalid_signature' | 'insufficient_balance' }
  | { label: 'filtered'; reason: 'in_flight' | 'dust_order' | 'missing_native_price' }

/** Facts about the order alone. An order in flight is out whatever its signature says. */
export const computeStaticExclusion = ({ order, inFlight }: Candidate): Exclusion | undefined => {
  if (inFlight) return { label: 'filtered', reason: 'in_flight' }
  if (order.signingScheme === 'presign' && !order.presigned) return { label: 'invalid', reason: 'invalid_signature' }
  return undefined
}

/** Contracts may get their sell token only within the settlement, as may a settlement that pays itself. */
export const isBalanceExempt = ({ order }: Candidate, settlementContract: Address): boolean =>
  order.signingScheme === 'eip1271' || order.receiver === settlementContract

/**
 * The owner must be able to pay: all of a fill-or-kill order with its fee, any part of a partially fillable one that is
 * worth at least an atom on both sides.
 * @param balances what the settlement contract could take, sell token atoms, by `toHoldingKey`
 */
export const computeBalanceExclusion = (
  candidate: Candidate,
  settlementContract: Address,
  balances: ReadonlyMap<string, bigint>,
): Exclusion | undefined => {
  const { order } = candidate
  const balance = balances.get(toHoldingKey({ owner: order.owner, token: order.sellToken })) ?? 0n
  if (!isBalanceExempt(candidate, settlementContract)) {
    const needed = order.partiallyFillable ? 1n : order.sellAmount + order.feeAmount
    if (balance < needed) return { label: 'invalid', reason: 'insufficient_balance' }
  }
  if (order.partiallyFillable && isDust(candidate, balance)) return { label: 'filtered', reason: 'dust_order' }
  return undefined
}

/** Whether the rest of an order, scaled down to `balance`, rounds to nothing. */
const isDust = ({ order }: Candidate, balance: bigint): boolean => {
  const remaining = computeRemaining(order)
  const exact = order.kind === 'sell' ? order.sellAmount : order.buyAmount
  const sell = (order.sellAmount * remaining) / exact
  const buy = (order.buyAmount * remaining) / exact
  if (sell <= balance) return sell === 0n || buy === 0n
  return balance === 0n || (buy * balance) / sell === 0n
}

/** Both tokens need a price: the buy token's ranks solutions, the sell token's turns gas into a fee. */
export const computePriceExclusion = (
  { order }: Candidate,
  prices: ReadonlyMap<Address, bigint>,
): Exclusion | undefined =>
  prices.has(order.sellToken) && prices.has(order.buyToken)
    ? undefined
    : { label: 'filtered', reason: 'missing_native_price' }

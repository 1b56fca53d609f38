import type { components } from '../../api/openapi.d.ts'

type Order = components['schemas']['Order']
type OrderEvent = components['schemas']['OrderEvent']

type Facts = Pick<OrderEvent, 'status' | 'executedSellAmount' | 'executedBuyAmount'>

/**
 * Updates an order with its newest event.
 * @param newest undefined: no event since the order was loaded
 * @param now Unix seconds: an order also expires
 */
export const applyEvent = (order: Order, newest: Facts | undefined, now: number): Order => {
  if (!newest) return expire(order, now)
  const { status, executedSellAmount, executedBuyAmount } = newest
  const executedFeeAmount = computeExecutedFee(order, newest).toString()
  const executedSellAmountBeforeFees = (BigInt(executedSellAmount) - BigInt(executedFeeAmount)).toString()
  const executed = { executedSellAmount, executedSellAmountBeforeFees, executedBuyAmount, executedFeeAmount }
  return expire({ ...order, status, ...executed }, now)
}

/** Like the API: every order that is not filled or cancelled expires after its last valid second. */
const expire = (order: Order, now: number): Order => {
  const isOpen = order.status === 'open' || order.status === 'presignaturePending'
  const validTo = order.ethflowData?.userValidTo ?? order.validTo
  return isOpen && validTo < now ? { ...order, status: 'expired' } : order
}

/** The signed fee in proportion to the executed exact amount; sold amounts of a sell order include it. */
const computeExecutedFee = ({ kind, sellAmount, buyAmount, feeAmount }: Order, newest: Facts): bigint => {
  const fee = BigInt(feeAmount)
  return kind === 'sell'
    ? (BigInt(newest.executedSellAmount) * fee) / (BigInt(sellAmount) + fee)
    : (BigInt(newest.executedBuyAmount) * fee) / BigInt(buyAmount)
}

import type { components } from '../../api/openapi.d.ts'

type Order = components['schemas']['Order']
type OrderEvent = components['schemas']['OrderEvent']

type Facts = Pick<OrderEvent, 'status' | 'executedSellAmount' | 'executedBuyAmount'>

/**
 * An order as its newest event says.
 * @param newest undefined: nothing happened since it was asked for
 * @param now Unix seconds: an order also ends by time alone
 */
export const applyEvent = (order: Order, newest: Facts | undefined, now: number): Order => {
  if (!newest) return expire(order, now)
  const { status, executedSellAmount, executedBuyAmount } = newest
  const executedFeeAmount = computeExecutedFee(order, newest).toString()
  const executedSellAmountBeforeFees = (BigInt(executedSellAmount) - BigInt(executedFeeAmount)).toString()
  const executed = { executedSellAmount, executedSellAmountBeforeFees, executedBuyAmount, executedFeeAmount }
  return expire({ ...order, status, ...executed }, now)
}

/** As the API: every order that is not filled and not cancelled ends after its last valid second. */
const expire = (order: Order, now: number): Order => {
  const isOpen = order.status === 'open' || order.status === 'presignaturePending'
  const validTo = order.ethflowData?.userValidTo ?? order.validTo
  return isOpen && validTo < now ? { ...order, status: 'expired' } : order
}

/** The signed fee, as much of it as of the exact amount is executed; what a sell order has sold includes it. */
const computeExecutedFee = ({ kind, sellAmount, buyAmount, feeAmount }: Order, newest: Facts): bigint => {
  const fee = BigInt(feeAmount)
  return kind === 'sell'
    ? (BigInt(newest.executedSellAmount) * fee) / (BigInt(sellAmount) + fee)
    : (BigInt(newest.executedBuyAmount) * fee) / BigInt(buyAmount)
}

import type { Order, Trade } from '../loading/loadOrder.ts'
import { countPartnerFees } from './findPartnerPolicies.ts'
import { type PolicyFee, sumPolicyFees } from './sumPolicyFees.ts'

export type OrderFees = {
  /** total with a signed fee, atoms of `token` */
  total: bigint
  /** executed part of the signed fee: sell token atoms, not included in the price */
  signed: bigint
  token: string
  /** protocol and partner fees in the order of application, summed by policy */
  policies: PolicyFee[]
  /** gas cost in the price, sell token atoms, rounded down; null without a fill, or for fees in other tokens */
  network: bigint | null
}

/**
 * Fees of an order: its signed fee, and the fees within its price. The latter are in the sell token and include
 * protocol fees; those of a sell order are taken in the buy token and converted at the price before all fees:
 * network = executedFee − Σ protocol · (sold − executedFee) / bought
 * with the sold amount without the signed fee.
 */
export const computeFees = (order: Order, trades: readonly Trade[]): OrderFees => {
  const inPrice = BigInt(order.executedFee)
  const signed = BigInt(order.executedFeeAmount)
  const policies = sumPolicyFees(trades, countPartnerFees(order))
  const network = computeNetworkFee(order, inPrice, policies)
  return { total: inPrice + signed, signed, token: order.executedFeeToken, policies, network }
}

const computeNetworkFee = (order: Order, inPrice: bigint, policies: readonly PolicyFee[]): bigint | null => {
  const bought = BigInt(order.executedBuyAmount)
  const left = BigInt(order.executedSellAmountBeforeFees) - inPrice
  if (bought === 0n || order.executedFeeToken !== order.sellToken) return null
  let network = inPrice
  for (const { token, atoms } of policies) {
    if (token === order.sellToken) network -= atoms
    else if (token === order.buyToken) network -= (atoms * left + bought - 1n) / bought
    else return null
  }
  return network > 0n ? network : 0n
}

import type { Order, Trade } from '../loading/loadOrder.ts'

export type PolicyFee = {
  kind: 'surplus' | 'volume' | 'priceImprovement'
  /** a share: 0.01 is 1 % */
  factor: number
  token: string
  atoms: bigint
}

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
  const policies = sumPolicies(trades)
  const network = computeNetworkFee(order, inPrice, policies)
  return { total: inPrice + signed, signed, token: order.executedFeeToken, policies, network }
}

const sumPolicies = (trades: readonly Trade[]): PolicyFee[] => {
  const sums = new Map<string, PolicyFee>()
  for (const { executedProtocolFees } of trades) {
    for (const [place, { policy, amount, token }] of executedProtocolFees.entries()) {
      const named = toNamed(policy)
      const key = `${place} ${named.kind} ${named.factor} ${token}`
      const sum = sums.get(key) ?? { ...named, token, atoms: 0n }
      sums.set(key, { ...sum, atoms: sum.atoms + BigInt(amount) })
    }
  }
  return [...sums.values()]
}

type Policy = Trade['executedProtocolFees'][number]['policy']

const toNamed = (policy: Policy): Pick<PolicyFee, 'kind' | 'factor'> => {
  if ('volume' in policy) return { kind: 'volume', factor: policy.volume.factor }
  if ('surplus' in policy) return { kind: 'surplus', factor: policy.surplus.factor }
  return { kind: 'priceImprovement', factor: policy.priceImprovement.factor }
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

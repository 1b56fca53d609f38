import type { Order, Trade } from '../loading/loadOrder.ts'

export type PolicyFee = {
  kind: 'surplus' | 'volume' | 'priceImprovement'
  /** a share: 0.01 is 1 % */
  factor: number
  token: string
  atoms: bigint
}

export type OrderFees = {
  /** all of it, a signed fee included, atoms of `token` */
  total: bigint
  /** the fee that the order signs, as far as it is taken: sell token atoms, not in the price */
  signed: bigint
  token: string
  /** protocol and partner fees, those of one policy together, in the order of application */
  policies: PolicyFee[]
  /** what gas took of the price, sell token atoms, rounded down; null: nothing is filled, or its parts are in other tokens */
  network: bigint | null
}

/**
 * What an order paid: its signed fee, and the fees in its price. Protocol fees are part of the latter, which are in the sell token:
 * those of a sell order were taken in the buy token and count at the price before all fees,
 *     network = executedFee − Σ protocol · (sold − executedFee) / bought
 * with what was sold without the signed fee.
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

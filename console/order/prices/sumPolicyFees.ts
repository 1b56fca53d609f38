import type { Trade } from '../loading/loadOrder.ts'
import { isPartnerPolicy } from './findPartnerPolicies.ts'

export type PolicyFee = {
  kind: 'surplus' | 'volume' | 'priceImprovement'
  /** a share: 0.01 is 1 % */
  factor: number
  token: string
  atoms: bigint
  /** of a partner, not of the protocol */
  isPartner: boolean
}

/**
 * Protocol and partner fees of all trades in the order of application, summed by policy and token.
 * @param partners number of partner fees of the order
 */
export const sumPolicyFees = (trades: readonly Trade[], partners = 0): PolicyFee[] => {
  const sums = new Map<string, PolicyFee>()
  for (const { executedProtocolFees } of trades) {
    for (const [place, { policy, amount, token }] of executedProtocolFees.entries()) {
      const named = toNamed(policy)
      const key = `${place} ${named.kind} ${named.factor} ${token}`
      const isPartner = isPartnerPolicy(place, executedProtocolFees, partners)
      const sum = sums.get(key) ?? { ...named, token, atoms: 0n, isPartner }
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

import type { FeeRule, FeeRules } from './feeRules.ts'

/**
 * The rules that apply to a class of orders at a time, in the order of application.
 * @param now Unix seconds
 */
export const computeCurrentRules = ({ policies }: FeeRules, orderClass: 'market' | 'limit', now: number): FeeRule[] =>
  policies.filter(
    (rule) => (rule.orderClass === 'any' || rule.orderClass === orderClass) && rule.from <= now && now < rule.until,
  )

import type { Address } from 'viem'
import { wrapToken } from '../networks.ts'
import { computeCurrentRules } from './computeCurrentRules.ts'
import type { FeeRules } from './feeRules.ts'

/**
 * The share of the volume that a trade of two tokens pays. Wrapping and unwrapping the native token pays none.
 * @param now Unix seconds
 * @returns undefined when no volume fee applies; a bucket may make it 0
 */
export const computeVolumeFactor = (
  rules: FeeRules,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  orderClass: 'market' | 'limit',
  { wrappedNative, now }: { wrappedNative: Address; now: number },
): number | undefined => {
  if (wrapToken(sellToken, wrappedNative) === wrapToken(buyToken, wrappedNative)) return undefined
  const rule = computeCurrentRules(rules, orderClass, now).find(({ kind }) => kind === 'volume')
  if (!rule) return undefined
  const bucket = rules.buckets.find(({ tokens }) => tokens.has(sellToken) && tokens.has(buyToken))
  return bucket ? bucket.factor : rule.factor
}

import { maxOf } from '#shared/amounts/minMax.ts'
import type { SendingTerms } from './findSendingTerms.ts'

/** nodes accept a replacement that pays at least a tenth more; an eighth is common */
const feeBumpPercent = 113n

/** Fees that replace an earlier transaction of the same nonce, at least those of the market. */
export const raiseFees = (
  earlier: Omit<SendingTerms, 'gas'>,
  market: Omit<SendingTerms, 'gas'>,
): Omit<SendingTerms, 'gas'> => ({
  maxFeePerGas: maxOf(market.maxFeePerGas, bump(earlier.maxFeePerGas)),
  maxPriorityFeePerGas: maxOf(market.maxPriorityFeePerGas, bump(earlier.maxPriorityFeePerGas)),
})

const bump = (fee: bigint): bigint => (fee * feeBumpPercent + 99n) / 100n

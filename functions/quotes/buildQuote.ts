import { type AmountsLadder, computeAmountsLadder } from './computeAmountsLadder.ts'
import { computeNetworkFee } from './computeNetworkFee.ts'
import { computeQuoteAmounts } from './computeQuoteAmounts.ts'
import type { Estimate } from './findEstimate.ts'
import type { Market } from './findMarket.ts'
import type { PreparedRequest } from './prepareRequest.ts'
import type { QuoteRequest } from './quoteRequest.ts'
import { computeVolumeFeePpm, type VolumeFee } from './volumeFee.ts'

/** An estimate with the fees and the amounts that follow from it. */
export type Quote = {
  estimate: Estimate
  /** sell token atoms */
  feeAmount: bigint
  ladder: AmountsLadder
  /** the protocol's share of the volume in millionths; undefined when no such fee applies */
  volumeFeePpm: bigint | undefined
  /** gas units: the estimate's, the hooks' and the signature check's */
  gas: bigint
  /** wei per gas unit */
  gasPrice: bigint
  /** wei per sell token atom */
  sellTokenPrice: number
}

/** Gas of a signature check by the owner's contract when the client does not know it. */
const defaultVerificationGas = 27_000n
const defaultSlippageBps = 50

/** @throws ApiError `SellAmountDoesNotCoverFee` and `SellAmountOverflow` as `computeQuoteAmounts` and `computeAmountsLadder` */
export const buildQuote = (
  { volumeFee, now }: { volumeFee: VolumeFee; now: () => number },
  { request, appData }: PreparedRequest,
  { gasPrice, sellTokenPrice }: Market,
  estimate: Estimate,
): Quote => {
  const gas = estimate.gas + appData.hookGas + computeVerificationGas(request)
  const amounts = computeQuoteAmounts(request.size, estimate, computeNetworkFee(gas, gasPrice, sellTokenPrice))
  const volumeFeePpm = computeVolumeFeePpm(volumeFee, request, Math.floor(now() / 1_000))
  const slippageBps = request.slippageBps ?? defaultSlippageBps
  const ladder = computeAmountsLadder(request.kind, estimate, amounts, volumeFeePpm ?? 0n, slippageBps)
  return { estimate, feeAmount: amounts.feeAmount, ladder, volumeFeePpm, gas, gasPrice, sellTokenPrice }
}

const computeVerificationGas = ({ signingScheme, verificationGasLimit }: QuoteRequest): bigint => {
  if (signingScheme !== 'eip1271') return 0n
  return verificationGasLimit === undefined ? defaultVerificationGas : BigInt(verificationGasLimit)
}

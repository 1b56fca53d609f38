import { capPartnerFees } from '#shared/fees/capPartnerFees.ts'
import { computeNetworkFee } from '#shared/fees/computeNetworkFee.ts'
import { computeVolumeFactor } from '#shared/fees/computeVolumeFactor.ts'
import type { FeePolicy, QuotedAmounts } from '#shared/fees/feePolicy.ts'
import type { FeeRules } from '#shared/fees/feeRules.ts'
import { signatureGas, wrapGas } from '#shared/hooks/contractOwnerGas.ts'
import type { Network } from '#shared/networks.ts'
import { checkGas } from '#shared/orders/checkGas.ts'
import { computeSuggestedSlippage } from '#shared/slippage/computeSuggestedSlippage.ts'
import type { Estimate } from '../estimates/findEstimate.ts'
import type { EstimateMarket } from '../estimates/findMarket.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import type { QuoteRequest } from '../request/quoteRequest.ts'
import {
  type AmountsLadder,
  computeAmountsLadder,
  type TradedAmounts,
  type VolumePolicy,
} from './computeAmountsLadder.ts'
import { computeQuoteAmounts } from './computeQuoteAmounts.ts'

/** An estimate with the fees and the amounts that follow from it. */
export type Quote = {
  estimate: Estimate
  /** sell token atoms */
  feeAmount: bigint
  ladder: AmountsLadder
  /** basis points between the last two rungs of the ladder */
  slippageBps: number
  /** amounts of the response: after the protocol's fee on the volume, with `feeAmount` beside them */
  offered: TradedAmounts
  /** the protocol's share of the volume in millionths; undefined when no such fee applies */
  volumeFeePpm: bigint | undefined
  /** gas units: the estimate's, the signature check's, and those that the data costs on Ethereum */
  gas: bigint
  /** wei per gas unit */
  gasPrice: bigint
  /** wei per sell token atom */
  sellTokenPrice: number
}

export type BuildQuoteDeps = {
  feeRules: FeeRules
  network: Pick<Network, 'wrappedNative'>
  /** maximum gas of settling one order, gas units */
  maxGas: bigint
  /** Unix time, milliseconds */
  now: () => number
}

const defaultSlippageBps = 50

/** @throws ApiError `TooMuchGas`; `SellAmountDoesNotCoverFee` and `SellAmountOverflow` as `computeQuoteAmounts` and `computeAmountsLadder` */
export const buildQuote = (
  { feeRules, network, maxGas, now }: BuildQuoteDeps,
  { request, appData }: PreparedRequest,
  { gasPrice, dataGas, sellTokenPrice, slippageRoom }: EstimateMarket,
  estimate: Estimate,
): Quote => {
  const gas = estimate.gas + computeOwnerGas(request) + dataGas
  const amounts = computeQuoteAmounts(request.size, estimate, computeNetworkFee(gas, gasPrice, sellTokenPrice))
  // an order that signs the quoted amounts is within the market
  const volumeFactor = computeVolumeFactor(feeRules, request, 'market', {
    ...network,
    now: Math.floor(now() / 1_000),
  })
  const volumeFeePpm = volumeFactor === undefined ? undefined : BigInt(Math.round(volumeFactor * 1e6))
  const partnerFees = capPartnerFees(appData.partnerFees, feeRules.maxPartnerPpm, noQuote).filter(isVolumePolicy)
  const slippageBps =
    request.slippageBps === 'auto'
      ? computeSuggestedSlippage(amounts.sellAmount, amounts.feeAmount, slippageRoom)
      : (request.slippageBps ?? defaultSlippageBps)
  const ladder = computeAmountsLadder(request.kind, estimate, amounts, volumeFeePpm ?? 0n, slippageBps, partnerFees)
  checkGas(appData.hooks, { gasAmount: gas }, maxGas)
  const { feeAmount } = amounts
  const { sellAmount, buyAmount } = ladder.afterProtocolFee
  const offered = { sellAmount: sellAmount - feeAmount, buyAmount }
  return { estimate, feeAmount, ladder, slippageBps, offered, volumeFeePpm, gas, gasPrice, sellTokenPrice }
}

/** The quote does not exist yet, so fees measured against it are zero. */
const noQuote: QuotedAmounts = { sellAmount: 0n, buyAmount: 0n, fee: 0n }
const isVolumePolicy = (policy: FeePolicy): policy is VolumePolicy => policy.kind === 'volume'

/** The owner of an on-chain order with a contract's signature wraps ether. */
const computeOwnerGas = ({ signingScheme, verificationGasLimit, onchainOrder }: QuoteRequest): bigint => {
  if (signingScheme !== 'eip1271') return 0n
  const ofCheck = verificationGasLimit === undefined ? signatureGas : BigInt(verificationGasLimit)
  return ofCheck + (onchainOrder ? wrapGas : 0n)
}

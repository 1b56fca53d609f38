import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { chargeFees } from '#shared/fees/chargeFees.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { OrderKind } from '#shared/signing/order.ts'
import type { QuoteAmounts } from './computeQuoteAmounts.ts'

/** Amount that leaves the owner and amount that arrives, atoms. */
export type TradedAmounts = { sellAmount: bigint; buyAmount: bigint }

/** Amounts of a trade after each successive cost, from the market price to the signed limit. */
export type AmountsLadder = {
  beforeAllFees: TradedAmounts
  afterNetworkFee: TradedAmounts
  afterProtocolFee: TradedAmounts
  afterPartnerFee: TradedAmounts
  /** the limit: the two amounts of the order to sign */
  afterSlippage: TradedAmounts
}

/** Partner fees of a trade at the quoted price: such a trade has no gain, so fees on gains are zero. */
export type VolumePolicy = FeePolicy & { kind: 'volume' }

const million = 1_000_000n
const wholeBps = 10_000n

/**
 * Takes each cost from the amount that is not exact: buyAmount of a sell order, sellAmount of a buy order. The exact
 * amount is the same on every rung; for a sell order it is `sellAmount + feeAmount`.
 *
 * | Rung             | sell: buyAmount                             | buy: sellAmount                              |
 * |------------------|---------------------------------------------|----------------------------------------------|
 * | beforeAllFees    | ⌊ estimate.buy · sold / estimate.sell ⌋      | estimate.sell                                |
 * | afterNetworkFee  | amounts.buy                                 | estimate.sell + feeAmount                    |
 * | afterProtocolFee | − ⌊ previous · ppm / 10⁶ ⌋                   | + ⌊ previous · ppm / 10⁶ ⌋                    |
 * | afterPartnerFee  | as `chargeFees`                             | as `chargeFees`                              |
 * | afterSlippage    | ⌈ previous · (10⁴ − slippageBps) / 10⁴ ⌉     | ⌊ previous · (10⁴ + slippageBps) / 10⁴ ⌋      |
 *
 * The limit is rounded in the owner's favour, so that it is never looser than `slippageBps` says.
 * @param estimate sell and buy token atoms of the best estimate, before any fee
 * @param amounts the same after the network fee, see `computeQuoteAmounts`
 * @param ppm the protocol's share of the volume in millionths, below the whole
 * @param slippageBps 0 to 9999
 * @param partnerFees in the order of application
 * @throws ApiError `SellAmountOverflow` when the amount to sign of a buy order exceeds a uint256
 */
export const computeAmountsLadder = (
  kind: OrderKind,
  estimate: TradedAmounts,
  amounts: QuoteAmounts,
  ppm: bigint,
  slippageBps: number,
  partnerFees: readonly VolumePolicy[],
): AmountsLadder => {
  const slippage = BigInt(slippageBps)
  const sold = amounts.sellAmount + amounts.feeAmount
  if (kind === 'sell') {
    const rung = (buyAmount: bigint): TradedAmounts => ({ sellAmount: sold, buyAmount })
    const afterProtocolFee = amounts.buyAmount - mulDivFloor(amounts.buyAmount, ppm, million)
    const { buyAmount: afterPartnerFee } = payPartners(kind, rung(afterProtocolFee), partnerFees)
    return {
      beforeAllFees: rung(mulDivFloor(estimate.buyAmount, sold, estimate.sellAmount)),
      afterNetworkFee: rung(amounts.buyAmount),
      afterProtocolFee: rung(afterProtocolFee),
      afterPartnerFee: rung(afterPartnerFee),
      afterSlippage: rung(mulDivCeil(afterPartnerFee, wholeBps - slippage, wholeBps)),
    }
  }
  const rung = (sellAmount: bigint): TradedAmounts => ({ sellAmount, buyAmount: amounts.buyAmount })
  const afterProtocolFee = sold + mulDivFloor(sold, ppm, million)
  const { sellAmount: afterPartnerFee } = payPartners(kind, rung(afterProtocolFee), partnerFees)
  const limit = mulDivFloor(afterPartnerFee, wholeBps + slippage, wholeBps)
  if (limit > maxUint256) throw new ApiError('SellAmountOverflow')
  return {
    beforeAllFees: rung(estimate.sellAmount),
    afterNetworkFee: rung(sold),
    afterProtocolFee: rung(afterProtocolFee),
    afterPartnerFee: rung(afterPartnerFee),
    afterSlippage: rung(limit),
  }
}

const payPartners = (
  kind: OrderKind,
  { sellAmount, buyAmount }: TradedAmounts,
  fees: readonly VolumePolicy[],
): TradedAmounts => {
  const order = { kind, limitSell: sellAmount, limitBuy: buyAmount, executedSell: sellAmount, executedBuy: buyAmount }
  try {
    const { executedSell, executedBuy } = chargeFees(order, fees)
    return { sellAmount: executedSell, buyAmount: executedBuy }
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('SellAmountOverflow')
    throw error
  }
}

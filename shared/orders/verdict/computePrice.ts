import type { Address } from 'viem'
import { computeMarketGap, type MarketGap } from '../../amounts/computeMarketGap.ts'
import { mulDivCeil, mulDivFloor } from '../../amounts/mulDiv.ts'
import { auctionPriceScale } from '../../amounts/toAuctionPrice.ts'
import { toPriceText } from '../../amounts/toPriceText.ts'
import type { JsonObject } from '../../jsonObject.ts'
import { type Finding, fail, pass, skip } from './finding.ts'
import type { Executable, ExecutablePrice, JudgedOrder, NativePrices } from './verdictFacts.ts'

/** `networkFee` undefined: an offer before all fees */
type JudgedOffer = Omit<ExecutablePrice, 'networkFee'> & {
  networkFee?: bigint | undefined
  /** auction whose price the fee is charged at */
  feeAuctionId?: number
}

/** A smaller difference of two fees may come from rounding prices: one of that many. */
const roundingShare = 1_000n

type NativeFacts = {
  order: Pick<JudgedOrder, 'sellToken' | 'buyToken' | 'sellAmount' | 'buyAmount'>
  prices: NativePrices
}

/**
 * Both tokens have a price, and solvers can fill the order's rest at its limit: what they offer, after all fees where
 * the caller knows them, meets it. An offer far from the limit excludes the order from auctions. Native prices alone
 * never decide: they show no fees and no depth, and a pool far from the market may bend them.
 */
export const computePrice = (
  facts: NativeFacts & {
    order: Pick<JudgedOrder, 'feeAmount' | 'kind'>
    /** an order further from what solvers offer stays out of auctions, 1/10000 of the offer */
    rules: { outOfMarketBps: number }
    /** undefined: not requested */
    executable: Exclude<Executable, ExecutablePrice> | JudgedOffer | undefined
  },
): Finding => {
  const { order, rules, executable } = facts
  if (order.sellAmount === 0n) return skip('price', 'zeroAmount')
  const missing = findMissingPrice(facts)
  if (missing) return fail('price', 'MissingNativePrice', { token: missing })
  if (!executable) return skip('price', 'notAsked')
  if ('sellAmount' in executable) {
    const evidence = computeExecutableGap(order, chargeInAuction(facts, executable))
    const isListed = evidence.gapBps <= rules.outOfMarketBps
    return evidence.gapBps > 0 ? fail('price', 'OutOfMarket', evidence, isListed) : pass('price', evidence)
  }
  if ('fault' in executable) return toFault(order, executable)
  return skip('price', executable.unknown, describeNativeGap(facts) ?? {})
}

/**
 * An offer with the network fee that solvers charge in auctions. Quotes charge the cost at the price of now, auctions at the
 * median of some minutes, which a market that has just moved leaves behind: above the quote's fee or below it.
 */
const chargeInAuction = (
  {
    order: { kind, feeAmount },
    prices: { sellPrice, auctionId },
  }: { order: Pick<JudgedOrder, 'feeAmount' | 'kind'>; prices: NativePrices },
  offer: JudgedOffer,
): JudgedOffer => {
  const { networkFee, networkCost } = offer
  if (auctionId === undefined || !sellPrice || feeAmount > 0n) return offer
  if (networkFee === undefined || networkCost === undefined) return offer
  const charged = mulDivCeil(networkCost, auctionPriceScale, sellPrice)
  const more = charged - networkFee
  if ((more < 0n ? -more : more) * roundingShare <= networkFee) return offer
  if (kind === 'buy')
    return { ...offer, sellAmount: offer.sellAmount + more, networkFee: charged, feeAuctionId: auctionId }
  const traded = offer.sellAmount - networkFee
  const buyAmount = traded > more ? mulDivFloor(offer.buyAmount, traded - more, traded) : 0n
  return { ...offer, buyAmount: buyAmount || 1n, networkFee: charged, feeAuctionId: auctionId }
}

/**
 * How an order's limit compares with what solvers offer for its rest, S and B of the order, s and b of the offer:
 *     gapBps = ⌈ 10,000 · (B · s − b · S) / (b · S) ⌉
 * Both sides have all fees: S includes the signed fee. Exact integers; greater than zero exactly when the offer does
 * not meet the limit.
 */
const computeExecutableGap = (
  { buyAmount: limitBuy, ...order }: Pick<JudgedOrder, 'sellAmount' | 'buyAmount' | 'feeAmount'>,
  { sellAmount, buyAmount, networkFee, feeAuctionId }: JudgedOffer,
): JsonObject & { gapBps: number } => {
  const { limitPrice, marketPrice, gapBps } = computeMarketGap(
    { sellAmount: order.sellAmount + order.feeAmount, buyAmount: limitBuy },
    buyAmount,
    sellAmount,
  )
  return {
    limitPrice: toPriceText(limitPrice),
    marketPrice: toPriceText(marketPrice),
    gapBps,
    quotedSellAmount: sellAmount.toString(),
    quotedBuyAmount: buyAmount.toString(),
    ...(networkFee === undefined ? {} : { networkFee: networkFee.toString() }),
    ...(feeAuctionId === undefined ? {} : { feeAuctionId }),
  }
}

/** The tokens check reports an unsupported token, the payout check a payout that fails. */
const toFault = (
  { sellToken, buyToken, sellAmount }: Pick<JudgedOrder, 'sellToken' | 'buyToken' | 'sellAmount'>,
  { fault, minSellAmount, revert }: Extract<Executable, { fault: string }>,
): Finding => {
  if (fault === 'UnsupportedToken') return skip('price', 'unsupportedToken')
  if (fault === 'PayoutFails') return skip('price', 'payoutFails')
  if (fault === 'SettlementReverts') return fail('price', fault, { sellToken, buyToken, revert: revert ?? null }, true)
  if (fault === 'NoLiquidity') return fail('price', fault, { sellToken, buyToken }, true)
  const min: JsonObject = minSellAmount === undefined ? {} : { minSellAmount: minSellAmount.toString() }
  return fail('price', fault, { sellAmount: sellAmount.toString(), ...min, token: sellToken }, true)
}

/** Compares the limit with the native prices, before any fee; undefined without both. */
export const computeNativeGap = ({ order, prices }: NativeFacts): MarketGap | undefined => {
  const { sellPrice, buyPrice } = prices
  return sellPrice && buyPrice && order.sellAmount > 0n ? computeMarketGap(order, sellPrice, buyPrice) : undefined
}

/**
 * The same as evidence, for people. `marketPrice` and `gapBps` are those of an offer, so the fields have names of their
 * own.
 */
export const describeNativeGap = (facts: NativeFacts): JsonObject | undefined => {
  const gap = computeNativeGap(facts)
  if (!gap) return undefined
  const { auctionId } = facts.prices
  return {
    limitPrice: toPriceText(gap.limitPrice),
    midPrice: toPriceText(gap.marketPrice),
    midGapBps: gap.gapBps,
    ...(auctionId === undefined ? {} : { auctionId }),
  }
}

const findMissingPrice = ({ order, prices }: NativeFacts): Address | undefined => {
  if (prices.sellPrice === null) return order.sellToken
  return prices.buyPrice === null ? order.buyToken : undefined
}

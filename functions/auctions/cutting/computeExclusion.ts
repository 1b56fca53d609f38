import type { Address, Hex } from 'viem'
import type { Candidate } from '#schema/queries/solvableOrders.ts'
import { computeMarketGap, type MarketGap } from '#shared/amounts/computeMarketGap.ts'
import { toPriceText } from '#shared/amounts/toPriceText.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import { computeNextSettlementBlock } from '#shared/orders/computeNextSettlementBlock.ts'
import { computeNeeded } from './computeNeeded.ts'
import { computeRemaining } from './computeRemaining.ts'
import type { Funds } from './findBalances.ts'
import type { HookFunds } from './findHookFunds.ts'
import { toHoldingKey } from './toHoldingKey.ts'

/**
 * Why an order stays out of an auction: `invalid` cannot settle now, `filtered` could but is left out. `data` has the numbers
 * behind it, amounts in atoms as decimal strings.
 */
export type Exclusion = { data: JsonObject | null } & (
  | {
      label: 'invalid'
      reason:
        | 'banned_user'
        | 'invalid_signature'
        | 'unsupported_token'
        | 'insufficient_balance'
        | 'insufficient_allowance'
        | 'hook_reverts'
    }
  | {
      label: 'filtered'
      reason: 'in_flight' | 'settlement_failed' | 'dust_order' | 'missing_native_price' | 'out_of_market'
    }
)

/** What this deployment does not trade. */
export type TradingRules = { bannedUsers: ReadonlySet<Address>; unsupportedTokens: ReadonlySet<Address> }

/**
 * Facts about the order alone. An order in flight is out whatever else holds; then a ban, a signature that is missing
 * on-chain, and a token that is not traded, in this order.
 */
export const computeStaticExclusion = (
  { order, inFlight }: Candidate,
  { bannedUsers, unsupportedTokens }: TradingRules,
): Exclusion | undefined => {
  if (inFlight) return { label: 'filtered', reason: 'in_flight', data: null }
  const partners = order.partnerFees.map(({ recipient }) => recipient)
  const parties = [order.owner, order.receiver, order.onchainUser, ...partners]
  const account = parties.find((party) => party !== null && bannedUsers.has(party))
  if (account) return { label: 'invalid', reason: 'banned_user', data: { account } }
  if (order.signingScheme === 'presign' && !order.presigned) {
    return { label: 'invalid', reason: 'invalid_signature', data: { signingScheme: 'presign' } }
  }
  const token = [order.sellToken, order.buyToken].find((traded) => unsupportedTokens.has(traded))
  if (token) return { label: 'invalid', reason: 'unsupported_token', data: { token } }
  return undefined
}

/** Whether solvers must settle the order alone: its settlement, or that of several orders of its account, failed. */
export const isSettledAlone = ({ settlementFailures }: Candidate): boolean =>
  settlementFailures !== null && settlementFailures.failures > 0

/**
 * An order whose settlement reverted waits for 1, 2, 4, … blocks, so that it costs solvers little and the orders beside it get
 * their turn. Never in the auction of the block in which it failed, nor of an earlier one.
 * @param block of the auction
 */
export const computeFailureExclusion = (candidate: Candidate, block: number): Exclusion | undefined => {
  const { settlementFailures } = candidate
  if (!settlementFailures || !isSettledAlone(candidate)) return undefined
  const { failures, lastBlock, ofAccount, bySolver } = settlementFailures
  const nextBlock = computeNextSettlementBlock(failures, lastBlock)
  if (block >= nextBlock) return undefined
  const solvers = [...bySolver].flatMap(([solver, { reverts }]) => (reverts > 0 ? [solver] : []))
  return {
    label: 'filtered',
    reason: 'settlement_failed',
    data: { failures, lastBlock, nextBlock, solvers, ofAccount },
  }
}

/** The owner's contract, asked again, does not accept its signature any more. */
export const computeSignatureExclusion = (
  { order }: Candidate,
  refused: ReadonlySet<Candidate['order']['uid']>,
): Exclusion | undefined =>
  refused.has(order.uid)
    ? { label: 'invalid', reason: 'invalid_signature', data: { signingScheme: 'eip1271', contract: order.owner } }
    : undefined

/** Contracts may get their sell token only within the settlement, as may a settlement that pays itself. */
export const isBalanceExempt = ({ order }: Candidate, settlementContract: Address): boolean =>
  order.signingScheme === 'eip1271' || order.receiver === settlementContract

const nothing: HookFunds = { balance: 0n, allowance: 0n }

/**
 * The owner must be able to pay: all of a fill-or-kill order with its fee, any part of a partially fillable one that is
 * worth at least an atom on both sides. What the owner lacks is told before what is not approved, and a hook that should have
 * brought either before both.
 * @param funds sell token atoms, by `toHoldingKey`
 * @param fundsAfterHooks the same for orders that call something before they are traded, by UID
 */
export const computeBalanceExclusion = (
  candidate: Candidate,
  { settlementContract, vaultRelayer }: { settlementContract: Address; vaultRelayer: Address },
  funds: ReadonlyMap<string, Funds>,
  fundsAfterHooks: ReadonlyMap<Hex, HookFunds> = new Map(),
): Exclusion | undefined => {
  const { order } = candidate
  const { sellToken: token } = order
  const known: HookFunds | undefined =
    fundsAfterHooks.get(order.uid) ?? funds.get(toHoldingKey({ owner: order.owner, token }))
  const { balance, allowance, reverting } = known ?? nothing
  if (!isBalanceExempt(candidate, settlementContract)) {
    const needed = computeNeeded(order)
    const toData = (available: bigint) => ({ available: available.toString(), needed: needed.toString(), token })
    if (reverting) {
      const data = { ...toData(balance < allowance ? balance : allowance), ...reverting }
      return { label: 'invalid', reason: 'hook_reverts', data }
    }
    if (balance < needed) return { label: 'invalid', reason: 'insufficient_balance', data: toData(balance) }
    if (allowance < needed) {
      const data = { ...toData(allowance), spender: vaultRelayer }
      return { label: 'invalid', reason: 'insufficient_allowance', data }
    }
  }
  return order.partiallyFillable
    ? computeDustExclusion(candidate, balance < allowance ? balance : allowance)
    : undefined
}

/** The rest of an order, scaled down to what is `available`, must not round to nothing. */
const computeDustExclusion = ({ order }: Candidate, available: bigint): Exclusion | undefined => {
  const remaining = computeRemaining(order)
  const exact = order.kind === 'sell' ? order.sellAmount : order.buyAmount
  const sell = (order.sellAmount * remaining) / exact
  const buy = (order.buyAmount * remaining) / exact
  const isDust = sell <= available ? sell === 0n || buy === 0n : available === 0n || (buy * available) / sell === 0n
  if (!isDust) return undefined
  const data = { remainingSell: sell.toString(), remainingBuy: buy.toString(), available: available.toString() }
  return { label: 'filtered', reason: 'dust_order', data }
}

/** Both tokens need a price: the buy token's ranks solutions, the sell token's turns gas into a fee. */
export const computePriceExclusion = (
  { order }: Candidate,
  prices: ReadonlyMap<Address, bigint>,
): Exclusion | undefined => {
  const token = [order.sellToken, order.buyToken].find((traded) => !prices.has(traded))
  return token ? { label: 'filtered', reason: 'missing_native_price', data: { token } } : undefined
}

/**
 * A limit far away from the market costs every solver work in every auction, and nobody can fill it.
 * @param maxGapBps how far the market may be from the limit, in 1/10000 of the market
 */
export const computeMarketExclusion = (
  candidate: Candidate,
  prices: ReadonlyMap<Address, bigint>,
  maxGapBps: number,
): Exclusion | undefined => {
  const market = findMarketGap(candidate, prices)
  if (!market || market.gapBps <= maxGapBps) return undefined
  return { label: 'filtered', reason: 'out_of_market', data: toMarketData(market) }
}

/** How an order's limit compares with the market, for its log; undefined without both prices. */
export const computeMarketData = (
  candidate: Candidate,
  prices: ReadonlyMap<Address, bigint>,
): JsonObject | undefined => {
  const market = findMarketGap(candidate, prices)
  return market && toMarketData(market)
}

const findMarketGap = ({ order }: Candidate, prices: ReadonlyMap<Address, bigint>): MarketGap | undefined => {
  const [sellPrice, buyPrice] = [prices.get(order.sellToken), prices.get(order.buyToken)]
  return sellPrice && buyPrice ? computeMarketGap(order, sellPrice, buyPrice) : undefined
}

const toMarketData = ({ limitPrice, marketPrice, gapBps }: MarketGap): JsonObject => ({
  limitPrice: toPriceText(limitPrice),
  marketPrice: toPriceText(marketPrice),
  gapBps,
})

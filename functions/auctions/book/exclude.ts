import type { Address, Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'
import {
  computeAllowance,
  computeBalance,
  computeDust,
  computeRevertingHook,
  isExempt,
} from '#shared/orders/verdict/computeFunding.ts'
import { computePermission, computeSignature, computeTokens } from '#shared/orders/verdict/computePermission.ts'
import { computeNativeGap, computePrice, describeNativeGap } from '#shared/orders/verdict/computePrice.ts'
import { computeSettlement, computeState } from '#shared/orders/verdict/computeStanding.ts'
import { computeExclusion, type Failure, toCode } from '#shared/orders/verdict/computeVerdict.ts'
import { type FaultCode, faults } from '#shared/orders/verdict/finding.ts'
import type { Pauses } from '#shared/pauses/pauses.ts'
import type { Offer } from './findOffers.ts'
import type { HeldFunds } from './funds/balanceCache.ts'
import type { HookFunds } from './funds/simulateHookFunds.ts'
import { toHoldingKey } from './funds/toHoldingKey.ts'

/**
 * Why an auction excludes an order: `invalid` cannot settle now, `filtered` could settle but is left out. `data` has
 * the underlying numbers, amounts in atoms as decimal strings.
 */
export type Exclusion = { data: JsonObject | null; label: 'invalid' | 'filtered'; reason: FaultCode }

type Contracts = Pick<Network, 'settlementContract' | 'vaultRelayer'>

const toExclusion = (failure: Failure | undefined): Exclusion | undefined =>
  failure && {
    label: faults[failure.reason].label,
    reason: toCode(failure),
    data: failure.reason === 'InFlight' ? null : failure.evidence,
  }

/**
 * Exclusions that depend on the order alone. An order in flight is always excluded. The database selects by expiry, so
 * expiry is not checked again.
 * @param now Unix seconds
 */
export const computeStaticExclusion = (
  { order, inFlight }: Candidate,
  {
    bannedUsers,
    unsupportedTokens,
    pauses,
  }: { bannedUsers: ReadonlySet<Address>; unsupportedTokens: ReadonlySet<Address>; pauses?: Pauses | undefined },
  now: number,
): Exclusion | undefined =>
  toExclusion(
    computeExclusion([computeState, computePermission, computeTokens], {
      order,
      admission: null,
      inFlight,
      now,
      chain: { filledAmount: undefined },
      rules: { bannedUsers, unsupportedTokens, pauses },
      tokenFault: undefined,
      executable: undefined,
    }),
  )

/**
 * Excludes an order for some blocks after a settlement failed because of it, in favour of other orders: never in the
 * auction of the block of its failure or of an earlier one.
 * @param block block of the auction
 */
export const computeFailureExclusion = ({ settlementFailures }: Candidate, block: number): Exclusion | undefined => {
  const failures = settlementFailures && {
    failures: settlementFailures.failures,
    lastBlock: settlementFailures.lastBlock,
    solvers: [...settlementFailures.bySolver].flatMap(([solver, { reverts }]) => (reverts > 0 ? [solver] : [])),
  }
  return toExclusion(computeExclusion([computeSettlement], { failures, block }))
}

/** Excludes orders without their pre-signature, and those whose owner's contract no longer accepts the signature. */
export const computeSignatureExclusion = (
  { order }: Candidate,
  refused: ReadonlySet<Candidate['order']['uid']>,
): Exclusion | undefined => {
  const isSigned = !refused.has(order.uid) && (order.signingScheme !== 'presign' || order.presigned)
  return toExclusion(computeExclusion([computeSignature], { order, chain: { isSigned, hasContract: undefined } }))
}

/** Whether the order enters auctions despite missing funds. */
export const isBalanceExempt = ({ order, funding }: Candidate, contracts: Contracts): boolean =>
  isExempt({ order, admission: null, contracts }) || Boolean(funding?.wrappers.length)

const nothing: HookFunds = { balance: 0n, allowance: 0n }

/**
 * Excludes orders without sufficient funds: all of a fill-or-kill order with its fee, or for a partially fillable one a
 * part of at least one atom on both sides. Precedence of reasons: a reverting hook, then balance, then allowance.
 * @param funds sell token atoms, by `toHoldingKey`; a token that states none has 0
 * @param fundsAfterHooks the same for orders that call something before they are traded, by UID
 */
export const computeBalanceExclusion = (
  { order, funding }: Candidate,
  contracts: Contracts,
  funds: ReadonlyMap<string, HeldFunds>,
  fundsAfterHooks: ReadonlyMap<Hex, HookFunds> = new Map(),
): Exclusion | undefined => {
  const { uid, owner, sellToken: token } = order
  const known: HookFunds = fundsAfterHooks.get(uid) ?? funds.get(toHoldingKey({ owner, token })) ?? nothing
  const { reverting, ...amounts } = known
  return toExclusion(
    computeExclusion([computeRevertingHook, computeBalance, computeAllowance, computeDust], {
      order,
      admission: null,
      contracts,
      appData: funding,
      chain: { funds: amounts, hooksRan: true, revertingHook: reverting },
    }),
  )
}

/**
 * Excludes orders without a price of both tokens, or with a limit too far from what solvers offer for them. The buy
 * token's price ranks solutions, the sell token's price converts gas into a fee. No solver can fill a limit far from
 * the market, but every auction would cost work for it.
 * @param prices by token, wei per 10¹⁸ atoms
 * @param outOfMarketBps maximum distance of the limit from the offer, in 1/10000 of the offer
 * @param offers by order UID; an order without one is not excluded for its limit
 */
export const computePriceExclusion = (
  { order }: Candidate,
  prices: ReadonlyMap<Address, bigint>,
  outOfMarketBps: number,
  offers: ReadonlyMap<Hex, Offer> = new Map(),
): Exclusion | undefined =>
  toExclusion(
    computeExclusion([computePrice], {
      order,
      rules: { outOfMarketBps },
      prices: { sellPrice: prices.get(order.sellToken) ?? null, buyPrice: prices.get(order.buyToken) ?? null },
      executable: offers.get(order.uid),
    }),
  )

/** Whether native prices suggest that the limit is too far from the market, so that an offer of solvers must decide. */
export const isDoubtful = (
  candidate: Candidate,
  prices: ReadonlyMap<Address, bigint>,
  outOfMarketBps: number,
): boolean => (computeNativeGap(toNativeFacts(candidate, prices))?.gapBps ?? 0) > outOfMarketBps

/** Comparison of an order's limit with the native prices, for its log; undefined without both prices. */
export const computeMarketData = (candidate: Candidate, prices: ReadonlyMap<Address, bigint>): JsonObject | undefined =>
  describeNativeGap(toNativeFacts(candidate, prices))

const toNativeFacts = ({ order }: Candidate, prices: ReadonlyMap<Address, bigint>) => ({
  order,
  prices: { sellPrice: prices.get(order.sellToken), buyPrice: prices.get(order.buyToken) },
})

import type { Address, Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/solvableOrders.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import { isExempt } from '#shared/orders/verdict/computeFunding.ts'
import { computeNativeGap } from '#shared/orders/verdict/computePrice.ts'
import { computeExclusion, toCode } from '#shared/orders/verdict/computeVerdict.ts'
import { type FaultCode, faults, type VerdictCheck } from '#shared/orders/verdict/finding.ts'
import type { HeldFunds } from '../funds/findBalances.ts'
import type { HookFunds } from '../funds/findHookFunds.ts'
import { toHoldingKey } from '../funds/toHoldingKey.ts'
import { buildVerdictFacts, type CutFacts, type TradingRules } from './buildVerdictFacts.ts'

/**
 * Why an auction excludes an order: `invalid` cannot settle now, `filtered` could settle but is left out. `data` has
 * the underlying numbers, amounts in atoms as decimal strings.
 */
export type Exclusion = { data: JsonObject | null; label: 'invalid' | 'filtered'; reason: FaultCode }

type Contracts = Pick<Network, 'settlementContract' | 'vaultRelayer'>

/** One step of the verdict (`computeVerdict`) with the facts known at that point of the cut. */
const exclude = (candidate: Candidate, facts: CutFacts, ...checks: readonly VerdictCheck[]): Exclusion | undefined => {
  const failure = computeExclusion(buildVerdictFacts(candidate, facts), checks)
  if (!failure) return undefined
  const { label } = faults[failure.reason]
  return { label, reason: toCode(failure), data: failure.reason === 'InFlight' ? null : failure.evidence }
}

/** Exclusions that depend on the order alone. An order in flight is always excluded. */
export const computeStaticExclusion = (candidate: Candidate, rules: TradingRules): Exclusion | undefined =>
  exclude(candidate, { rules }, 'state', 'permission', 'tokens')

/** Whether solvers must settle the order alone: its settlement, or that of several orders of its account, failed. */
export const isSettledAlone = ({ settlementFailures }: Candidate): boolean =>
  settlementFailures !== null && settlementFailures.failures > 0

/**
 * Excludes an order for some blocks after its settlement reverted, in favour of other orders: never in the auction of
 * the block of its failure or of an earlier one.
 * @param block block of the auction
 */
export const computeFailureExclusion = (candidate: Candidate, block: number): Exclusion | undefined =>
  exclude(candidate, { block }, 'settlement')

/** Excludes orders without their pre-signature, and those whose owner's contract no longer accepts the signature. */
export const computeSignatureExclusion = (
  candidate: Candidate,
  refused: ReadonlySet<Candidate['order']['uid']>,
): Exclusion | undefined =>
  exclude(candidate, refused.has(candidate.order.uid) ? { chain: { isSigned: false } } : {}, 'signature')

/** Whether the order enters auctions despite missing funds. */
export const isBalanceExempt = (candidate: Candidate, contracts: Contracts): boolean =>
  isExempt({ order: candidate.order, contracts }) || Boolean(candidate.funding?.wrappers.length)

const nothing: HookFunds = { balance: 0n, allowance: 0n }

/**
 * Excludes orders without sufficient funds: all of a fill-or-kill order with its fee, or for a partially fillable one a
 * part of at least one atom on both sides. Precedence of reasons: a reverting hook, then balance, then allowance.
 * @param funds sell token atoms, by `toHoldingKey`; a token that states none has 0
 * @param fundsAfterHooks the same for orders that call something before they are traded, by UID
 */
export const computeBalanceExclusion = (
  candidate: Candidate,
  contracts: Contracts,
  funds: ReadonlyMap<string, HeldFunds>,
  fundsAfterHooks: ReadonlyMap<Hex, HookFunds> = new Map(),
): Exclusion | undefined => {
  const { uid, owner, sellToken: token } = candidate.order
  const known: HookFunds = fundsAfterHooks.get(uid) ?? funds.get(toHoldingKey({ owner, token })) ?? nothing
  const { reverting, ...amounts } = known
  const chain = { funds: amounts, revertingHook: reverting }
  return exclude(candidate, { contracts, chain }, 'hooks', 'balance', 'allowance', 'dust')
}

/**
 * Excludes orders without a price of both tokens, or with a limit too far from the market. The buy token's price ranks
 * solutions, the sell token's price converts gas into a fee. No solver can fill a limit far from the market, but every
 * auction would cost work for it.
 * @param maxGapBps maximum distance of the limit from the market, in 1/10000 of the market
 */
export const computePriceExclusion = (
  candidate: Candidate,
  prices: ReadonlyMap<Address, bigint>,
  maxGapBps: number,
): Exclusion | undefined => exclude(candidate, { prices, outOfMarketBps: maxGapBps }, 'price')

/** Comparison of an order's limit with the native prices, for its log; undefined without both prices. */
export const computeMarketData = ({ order }: Candidate, prices: ReadonlyMap<Address, bigint>): JsonObject | undefined =>
  computeNativeGap({ order, prices: { sellPrice: prices.get(order.sellToken), buyPrice: prices.get(order.buyToken) } })

import type { Address, Hex } from 'viem'
import type { Candidate } from '#schema/queries/auctions/solvableOrders.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import { isExempt } from '#shared/orders/verdict/computeFunding.ts'
import { computeNativeGap } from '#shared/orders/verdict/computePrice.ts'
import { computeExclusion, toCode } from '#shared/orders/verdict/computeVerdict.ts'
import { type FaultCode, faults, type VerdictCheck } from '#shared/orders/verdict/finding.ts'
import { buildVerdictFacts, type CutFacts, type TradingRules } from './buildVerdictFacts.ts'
import type { Funds } from './findBalances.ts'
import type { HookFunds } from './findHookFunds.ts'
import { toHoldingKey } from './toHoldingKey.ts'

/**
 * Why an order stays out of an auction: `invalid` cannot settle now, `filtered` could but is left out. `data` has the numbers
 * behind it, amounts in atoms as decimal strings.
 */
export type Exclusion = { data: JsonObject | null; label: 'invalid' | 'filtered'; reason: FaultCode }

type Contracts = Pick<Network, 'settlementContract' | 'vaultRelayer'>

/** A step of the verdict (`computeVerdict`) with the facts that the cut has by then. */
const exclude = (candidate: Candidate, facts: CutFacts, ...checks: readonly VerdictCheck[]): Exclusion | undefined => {
  const failure = computeExclusion(buildVerdictFacts(candidate, facts), checks)
  if (!failure) return undefined
  const { label } = faults[failure.reason]
  return { label, reason: toCode(failure), data: failure.reason === 'InFlight' ? null : failure.evidence }
}

/** Facts about the order alone. An order in flight is out whatever else holds. */
export const computeStaticExclusion = (candidate: Candidate, rules: TradingRules): Exclusion | undefined =>
  exclude(candidate, { rules }, 'state', 'permission', 'tokens')

/** Whether solvers must settle the order alone: its settlement, or that of several orders of its account, failed. */
export const isSettledAlone = ({ settlementFailures }: Candidate): boolean =>
  settlementFailures !== null && settlementFailures.failures > 0

/**
 * An order whose settlement reverted waits some blocks, so that the orders beside it get their turn: never in the auction of the
 * block in which it failed, nor of an earlier one.
 * @param block of the auction
 */
export const computeFailureExclusion = (candidate: Candidate, block: number): Exclusion | undefined =>
  exclude(candidate, { block }, 'settlement')

/** The pre-signature is missing, or the owner's contract does not accept its signature any more. */
export const computeSignatureExclusion = (
  candidate: Candidate,
  refused: ReadonlySet<Candidate['order']['uid']>,
): Exclusion | undefined =>
  exclude(candidate, refused.has(candidate.order.uid) ? { chain: { isSigned: false } } : {}, 'signature')

/** Whether missing funds keep the order out of no auction. */
export const isBalanceExempt = (candidate: Candidate, contracts: Contracts): boolean =>
  isExempt({ order: candidate.order, contracts }) || Boolean(candidate.funding?.wrappers.length)

const nothing: HookFunds = { balance: 0n, allowance: 0n }

/**
 * The owner must be able to pay: all of a fill-or-kill order with its fee, any part of a partially fillable one that is
 * worth at least an atom on both sides. A hook that should have brought the funds comes before what the owner lacks, and that
 * before what is not approved.
 * @param funds sell token atoms, by `toHoldingKey`; a token that states none has 0
 * @param fundsAfterHooks the same for orders that call something before they are traded, by UID
 */
export const computeBalanceExclusion = (
  candidate: Candidate,
  contracts: Contracts,
  funds: ReadonlyMap<string, Funds>,
  fundsAfterHooks: ReadonlyMap<Hex, HookFunds> = new Map(),
): Exclusion | undefined => {
  const { uid, owner, sellToken: token } = candidate.order
  const known: HookFunds = fundsAfterHooks.get(uid) ?? funds.get(toHoldingKey({ owner, token })) ?? nothing
  const { reverting, ...amounts } = known
  const chain = { funds: amounts, revertingHook: reverting }
  return exclude(candidate, { contracts, chain }, 'hooks', 'balance', 'allowance', 'dust')
}

/**
 * Both tokens need a price: the buy token's ranks solutions, the sell token's turns gas into a fee. A limit far away from the
 * market costs every solver work in every auction, and none can fill it.
 * @param maxGapBps how far the market may be from the limit, in 1/10000 of the market
 */
export const computePriceExclusion = (
  candidate: Candidate,
  prices: ReadonlyMap<Address, bigint>,
  maxGapBps: number,
): Exclusion | undefined => exclude(candidate, { prices, outOfMarketBps: maxGapBps }, 'price')

/** How an order's limit compares with the native prices, for its log; undefined without both prices. */
export const computeMarketData = ({ order }: Candidate, prices: ReadonlyMap<Address, bigint>): JsonObject | undefined =>
  computeNativeGap({ order, prices: { sellPrice: prices.get(order.sellToken), buyPrice: prices.get(order.buyToken) } })

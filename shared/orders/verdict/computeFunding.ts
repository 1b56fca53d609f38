import { maxOf, minOf } from '../../amounts/minMax.ts'
import { mulDivFloor } from '../../amounts/mulDiv.ts'
import type { ParsedAppData } from '../../appData/parseAppData.ts'
import { computeHookGas } from '../../hooks/computeHookGas.ts'
import type { HookOutcome } from '../../hooks/hookOutcome.ts'
import type { JsonObject } from '../../jsonObject.ts'
import type { Network } from '../../networks.ts'
import { computeRemaining, type FillableOrder } from '../computeRemaining.ts'
import { type Finding, fail, pass, skip } from './finding.ts'
import { computeLent, computeRequiredFunds } from './requiredFunds.ts'
import type { Admission, ChainFacts, Executable, JudgedOrder, OnChain } from './verdictFacts.ts'

type Contracts = Pick<Network, 'settlementContract' | 'vaultRelayer'>

/** The owner's funds, and whether a wrapper brings others. */
type FundsFacts = {
  order: Pick<JudgedOrder, 'owner' | 'sellToken' | 'sellAmount' | 'feeAmount' | 'partiallyFillable'>
  admission: Admission
  /** of the order's document; null: it is not known, or has neither */
  appData: Pick<ParsedAppData, 'flashloan' | 'wrappers'> | null
  chain: OnChain<'funds' | 'hooksRan'>
}

type ExemptionFacts = {
  order: Pick<JudgedOrder, 'signingScheme' | 'receiver'>
  admission: Admission
  contracts: Pick<Contracts, 'settlementContract'>
}

/**
 * Hooks fit into a settlement, and none reverts that should have brought the funds. Any other hook that fails in the
 * simulated trade is named: the trade does not depend on it, but its owner does.
 */
export const computeHooks = (
  facts: Parameters<typeof computeRevertingHook>[0] & {
    appData: Pick<ParsedAppData, 'hooks'> | null
    /** maximum gas of settling one order, gas units */
    rules: { maxGas: bigint }
    executable?: Executable | undefined
  },
): Finding => {
  const { appData, admission, rules, chain } = facts
  const hooks = appData?.hooks
  const gas = hooks ? computeHookGas(hooks) : 0n
  const evidence: JsonObject = hooks
    ? { pre: hooks.pre.length, post: hooks.post.length, gas: gas.toString(), maxGas: rules.maxGas.toString() }
    : {}
  if (gas > rules.maxGas) return fail('hooks', 'TooMuchGas', evidence, !admission)
  if (typeof chain === 'string')
    return hooks?.pre.length === 0 ? pass('hooks', evidence) : skip('hooks', chain, evidence)
  if (!chain.revertingHook) {
    if (!hooks) return skip('hooks', 'unknownAppData')
    const outcomes = readOutcomes(facts)
    const failing = outcomes.find(({ outcome }) => outcome !== 'succeeded')
    if (failing) {
      const { hook, target } = failing
      return skip('hooks', hookReasons[failing.outcome], { ...evidence, hook, target, outcomes })
    }
    return hooks.pre.length > 0 && !chain.hooksRan
      ? skip('hooks', 'nodeCannotSimulate', evidence)
      : pass('hooks', outcomes.length > 0 ? { ...evidence, outcomes } : evidence)
  }
  const finding = computeRevertingHook(facts)
  const outcomes = readOutcomes(facts)
  const rehearsed: JsonObject = outcomes.length > 0 ? { outcomes } : {}
  return { ...finding, evidence: { ...evidence, ...finding.evidence, ...rehearsed } }
}

const hookReasons: Record<HookOutcome['outcome'], string> = {
  succeeded: 'HookSucceeds',
  reverted: 'HookReverts',
  outOfGas: 'HookRunsOutOfGas',
  noCode: 'HookHasNoCode',
}

const readOutcomes = ({ executable }: { executable?: Executable | undefined }): HookOutcome[] =>
  executable && 'hooks' in executable ? (executable.hooks ?? []) : []

/** No pre-hook reverts that should have brought the funds. */
export const computeRevertingHook = (
  facts: FundsFacts & ExemptionFacts & { chain: OnChain<'revertingHook'> },
): Finding => {
  const { order, chain } = facts
  if (typeof chain === 'string') return skip('hooks', chain)
  const { revertingHook } = chain
  if (!revertingHook) return pass('hooks')
  const { hook, target } = revertingHook
  const reverting = { hook, target }
  const funds = readFunds(facts, chain)
  // the trampoline continues after a hook that reverts, and so does the settlement
  if (!funds || isEnough(funds) || bringsFunds(facts)) return skip('hooks', 'HookReverts', reverting)
  const { balance = 0n, allowance = 0n, needed } = funds
  const available = minOf(balance, allowance)
  const data = { ...reverting, available: available.toString(), needed: needed.toString(), token: order.sellToken }
  return fail('hooks', 'HookReverts', data, isExempt(facts))
}

/** The owner has what it sells: balance first, then the approval for the vault relayer. */
export const computeBalance = (facts: FundsFacts & ExemptionFacts): Finding => {
  const { order, chain } = facts
  if (typeof chain === 'string') return skip('balance', chain)
  const funds = readFunds(facts, chain)
  if (!funds) return skip('balance', 'nodeCannotSimulate')
  const { balance, needed, lent } = funds
  const token = order.sellToken
  const evidence = {
    available: (balance ?? 0n).toString(),
    needed: needed.toString(),
    token,
    ...(lent > 0n ? { lent: lent.toString() } : {}),
  }
  if (balance !== undefined && balance >= needed) return pass('balance', evidence)
  if (bringsFunds(facts)) return skip('balance', 'broughtByWrapper', evidence)
  if (balance === undefined) return fail('balance', 'UnreadableBalance', evidence, isExempt(facts))
  return fail('balance', 'InsufficientBalance', evidence, isExempt(facts))
}

export const computeAllowance = (facts: FundsFacts & ExemptionFacts & { contracts: Contracts }): Finding => {
  const { order, chain, contracts } = facts
  if (typeof chain === 'string') return skip('allowance', chain)
  const funds = readFunds(facts, chain)
  if (!funds) return skip('allowance', 'nodeCannotSimulate')
  const { allowance, needed } = funds
  const evidence = {
    available: (allowance ?? 0n).toString(),
    needed: needed.toString(),
    token: order.sellToken,
    spender: contracts.vaultRelayer,
  }
  if (allowance !== undefined && allowance >= needed) return pass('allowance', evidence)
  if (bringsFunds(facts)) return skip('allowance', 'broughtByWrapper', evidence)
  const reason = allowance === undefined ? 'UnreadableAllowance' : 'InsufficientAllowance'
  return fail('allowance', reason, evidence, isExempt(facts))
}

/** The sell token really moves to the settlement contract, whole. */
export const computeTransferability = (facts: FundsFacts & { chain: OnChain<'transfers'> }): Finding => {
  const { order, chain, admission } = facts
  const token = order.sellToken
  if (typeof chain === 'string') return skip('transferability', chain)
  const { transfers } = chain
  if (!transfers) return skip('transferability', 'notTried')
  const funds = readFunds(facts, chain)
  if (!funds) return skip('transferability', 'nodeCannotSimulate')
  const { balance = 0n, lent } = funds
  // a wrapper may also allow what the token refuses otherwise
  if (bringsFunds(facts)) return skip('transferability', 'broughtByWrapper', { token })
  if (!isEnough(funds)) return skip('transferability', 'insufficientFunds', { token })
  if (balance - lent < funds.needed) return skip('transferability', 'borrowedFunds', { token })
  const transfer = transfers.find(({ moved }) => moved) ?? transfers[0]
  if (!transfer) return skip('transferability', 'notTried', { token })
  const { amount, received, revert } = transfer
  if (!transfer.moved) {
    const evidence = { token, amount: amount.toString(), revert: revert ?? null }
    return fail('transferability', 'TransferSimulationFailed', evidence, !admission)
  }
  const evidence = { token, amount: amount.toString(), received: received.toString() }
  return received < amount
    ? fail('transferability', 'FeeOnTransfer', evidence, true)
    : pass('transferability', evidence)
}

/** The rest of a partially fillable order, scaled down to what is available beside its signed fee, must not round to nothing. */
export const computeDust = (facts: FundsFacts & { order: FillableOrder }): Finding => {
  const { order, chain } = facts
  if (!order.partiallyFillable) return pass('dust')
  if (typeof chain === 'string') return skip('dust', chain)
  const funds = readFunds(facts, chain)
  if (!funds) return skip('dust', 'nodeCannotSimulate')
  const { balance = 0n, allowance = 0n } = funds
  const remaining = computeRemaining(order)
  const exact = order.kind === 'sell' ? order.sellAmount : order.buyAmount
  if (exact === 0n) return pass('dust')
  const sell = (order.sellAmount * remaining) / exact
  const buy = (order.buyAmount * remaining) / exact
  const payable = minOf(balance, allowance)
  const { sellAmount, feeAmount } = order
  const tradable = feeAmount === 0n ? payable : mulDivFloor(payable, sellAmount, sellAmount + feeAmount)
  const available = bringsFunds(facts) ? maxOf(sell, tradable) : tradable
  const isDust = sell <= available ? sell === 0n || buy === 0n : available === 0n || (buy * available) / sell === 0n
  const evidence = {
    remainingSell: sell.toString(),
    remainingBuy: buy.toString(),
    available: payable.toString(),
  }
  return isDust ? fail('dust', 'DustOrder', evidence) : pass('dust', evidence)
}

type Funds = {
  /** includes the flash loan that the document names */
  balance: bigint | undefined
  allowance: bigint | undefined
  needed: bigint
  lent: bigint
}

/** @returns undefined when the funds are those before hooks that may bring what is missing */
const readFunds = (
  { order, appData, admission }: FundsFacts,
  { funds: { balance, allowance }, hooksRan }: Pick<ChainFacts, 'funds' | 'hooksRan'>,
): Funds | undefined => {
  const needed = computeRequiredFunds(order, admission?.fullBalanceCheck)
  const lent = computeLent(order, appData)
  const funds = { balance: balance === undefined ? undefined : balance + lent, allowance, needed, lent }
  return !hooksRan && !isEnough(funds) ? undefined : funds
}

const isEnough = ({ balance, allowance, needed }: Funds): boolean =>
  balance !== undefined && allowance !== undefined && balance >= needed && allowance >= needed

/** A wrapper may bring anything before the settlement, so that missing funds say nothing. */
const bringsFunds = ({ appData }: Pick<FundsFacts, 'appData'>): boolean => Boolean(appData?.wrappers.length)

/** Contracts may get their sell token only within the settlement, as may a settlement that pays itself. */
export const isExempt = ({ order, admission, contracts }: ExemptionFacts): boolean =>
  !admission && (order.signingScheme === 'eip1271' || order.receiver === contracts.settlementContract)

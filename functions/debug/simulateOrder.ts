import type { Hex } from 'viem'
import type { DryRunFacts, DryRunQuery } from '#schema/queries/dryRunFacts.ts'
import { computeMarketGap } from '#shared/amounts/computeMarketGap.ts'
import { toPriceText } from '#shared/amounts/toPriceText.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { type AppDataMeaning, parseAppData } from '#shared/appData/parseAppData.ts'
import type { Simulate } from '#shared/chain/simulateCalls.ts'
import { buildHookInteractions, type OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import { checkAppData } from '#shared/orders/checkAppData.ts'
import { checkExpiry } from '#shared/orders/checkExpiry.ts'
import { checkLifetime } from '#shared/orders/checkLifetime.ts'
import { computeNextSettlementBlock } from '#shared/orders/computeNextSettlementBlock.ts'
import { computeOrderStatus } from '#shared/orders/computeOrderStatus.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { type Check, type DryRun, fail, type OrderDraft, pass, skip, toCheck } from './dryRun.ts'
import { type ChainTrial, tryOnChain } from './findChainTrial.ts'
import { type DraftRules, type ReadDraft, readDraft } from './readDraft.ts'

export type DryRunDeps = DraftRules & {
  network: Network
  simulate: Simulate
  /** gas units that settling one order may take */
  maxGas: bigint
  /** Unix seconds */
  now: () => number
  selectFacts: (query: DryRunQuery) => Promise<DryRunFacts>
  selectStoredFacts: (uid: Hex) => Promise<DryRunFacts>
}

/** For everything that the node is asked. */
const deadlineMs = 4_000

/** Tries an order that nobody needs to have placed, or signed. Stores nothing: one database round trip, at most two to the chain. */
export const simulateDraft = async (deps: DryRunDeps, order: OrderDraft): Promise<DryRun> => {
  const draft = readDraft(deps, order)
  const { uid, appDataHash } = draft
  return judge(deps, draft, await deps.selectFacts({ ...order, uid, appDataHash }), false)
}

/**
 * Tries what is left of an order that was placed.
 * @throws ApiError `NotFound`
 */
export const simulateStoredOrder = async (deps: DryRunDeps, uid: Hex): Promise<DryRun> => {
  const facts = await deps.selectStoredFacts(uid)
  if (!facts.stored) throw new ApiError('NotFound', { description: 'order not found', data: { uid } })
  return judge(deps, readDraft(deps, toDraft(facts.stored)), facts, true)
}

const toDraft = (order: StoredOrder): OrderDraft => ({
  ...order,
  from: order.owner,
  appData: order.fullAppData ?? order.appDataHash,
})

/** @param isPlaced what only a new order has to fulfil is not asked again */
const judge = async (deps: DryRunDeps, draft: ReadDraft, facts: DryRunFacts, isPlaced: boolean): Promise<DryRun> => {
  const now = deps.now()
  const { order } = draft
  const { stored } = facts
  const { meaning, appData } = readDocument(draft, facts, isPlaced)
  const remaining = computeRemainder(order, stored)
  const preInteractions = toPreInteractions(deps.network, stored, meaning)
  const tooMuchGas = meaning !== null && computeHookGas(meaning.hooks) > deps.maxGas
  const trial = await findTrial(deps, draft, remaining, tooMuchGas ? [] : preInteractions)
  const checks = [
    draft.shape,
    draft.permission,
    appData,
    toTimeCheck(order, meaning, isPlaced, now),
    toCheck('expiry', () => {
      const validTo = stored?.userValidTo ?? order.validTo
      checkExpiry(validTo, now)
      return { validTo, now }
    }),
    draft.signature ?? toSignatureCheck(draft, trial),
    toStateCheck(order, stored, trial, now),
    toSettlementCheck(facts, trial),
    toHooksCheck(deps, meaning, tooMuchGas, trial),
    ...toFundsChecks(deps, draft, meaning, remaining, trial),
    toPriceCheck(order, facts),
  ]
  return {
    fillable: checks.every(({ status }) => status !== 'fail'),
    orderUid: draft.uid,
    block: typeof trial === 'object' ? trial.block : null,
    checks,
  }
}

/** What the document says, and whether the order fits it. A contract may have placed an order without its document. */
const readDocument = (
  { order, owner, appData, appDataHash, meaning: sent }: ReadDraft,
  { fullAppData }: DryRunFacts,
  isPlaced: boolean,
): { appData: Check; meaning: AppDataMeaning | null } => {
  if (appData?.status === 'fail') return { appData, meaning: null }
  const meaning = sent ?? (fullAppData === null ? null : parseAppData(fullAppData))
  const evidence = { appDataHash }
  if (!meaning) {
    const check = isPlaced ? skip('appData', 'unknownDocument', evidence) : fail('appData', 'InvalidAppData', evidence)
    return { appData: check, meaning }
  }
  const check = toCheck('appData', () => {
    if (owner) checkAppData(order, owner, meaning)
    return evidence
  })
  return { appData: check, meaning }
}

/** What is left to fill; both sides rounded up, so that it is never nothing while something is left. */
type Remainder = { sellAmount: bigint; buyAmount: bigint }

const computeRemainder = ({ kind, sellAmount, buyAmount }: OrderDraft, stored: StoredOrder | null): Remainder => {
  const [exact, executed] =
    kind === 'sell'
      ? [sellAmount, (stored?.executedSellAmount ?? 0n) - (stored?.executedFeeAmount ?? 0n)]
      : [buyAmount, stored?.executedBuyAmount ?? 0n]
  if (exact === 0n) return { sellAmount, buyAmount }
  const share = (amount: bigint) => (amount * (exact - executed) + exact - 1n) / exact
  return { sellAmount: share(sellAmount), buyAmount: share(buyAmount) }
}

/** Hooks run before the first trade only; what a contract that placed the order does for each trade, always. */
const toPreInteractions = (
  { hooksTrampoline }: Network,
  stored: StoredOrder | null,
  meaning: AppDataMeaning | null,
): OrderInteraction[] => {
  if (!stored) return buildHookInteractions(hooksTrampoline, meaning?.hooks.pre ?? [])
  const isUntouched = stored.executedSellAmount === 0n
  return stored.preInteractions.filter(({ target }) => isUntouched || target === stored.owner)
}

type Trial = ChainTrial | string

/** @returns why the chain was not asked, or gave no answer */
const findTrial = async (
  { network, simulate }: DryRunDeps,
  { order, uid, digest, owner }: ReadDraft,
  remaining: Remainder,
  preInteractions: OrderInteraction[],
): Promise<Trial> => {
  if (!owner) return 'unknownOwner'
  if (!uid || !digest) return 'unknownAppData'
  const { signingScheme, signature, sellToken, partiallyFillable } = order
  const amount = remaining.sellAmount + order.feeAmount
  return tryOnChain(
    { network, simulate },
    {
      uid,
      digest,
      owner,
      sellToken,
      preInteractions,
      contractSignature: signingScheme === 'eip1271' ? signature : undefined,
      transfers: amount > maxUint256 ? [] : partiallyFillable ? [amount, 1n] : [amount],
    },
    AbortSignal.timeout(deadlineMs),
  )
}

const toTimeCheck = (order: OrderDraft, meaning: AppDataMeaning | null, isPlaced: boolean, now: number): Check => {
  const { validTo } = order
  const validFrom = meaning?.validFrom ?? null
  const rules = toCheck('time', () => {
    if (!isPlaced) checkLifetime(order, now)
    return { validFrom, validTo, now }
  })
  if (rules.status === 'pass' && validFrom !== null && validFrom > now) {
    return fail('time', 'NotYetValid', { validFrom, now })
  }
  return rules
}

const toSignatureCheck = ({ order, owner, digest }: ReadDraft, trial: Trial): Check => {
  if (typeof trial === 'string') return skip('signature', trial)
  const { signingScheme } = order
  const evidence = { signingScheme, owner, digest }
  if (signingScheme === 'presign') {
    return trial.presigned ? pass('signature', evidence) : fail('signature', 'PresignaturePending', evidence)
  }
  return trial.signatureAccepted ? pass('signature', evidence) : fail('signature', 'InvalidEip1271Signature', evidence)
}

/** Nothing has ended the order yet: neither here nor on the chain, which knows of a trade a little earlier. */
const toStateCheck = (order: OrderDraft, stored: StoredOrder | null, trial: Trial, now: number): Check => {
  const status = stored && computeOrderStatus(stored, now)
  const filledAmount = typeof trial === 'object' ? trial.filledAmount : undefined
  const evidence = { placed: stored !== null, status, filledAmount: filledAmount?.toString() ?? null }
  if (status === 'fulfilled') return fail('state', 'OrderFullyExecuted', evidence)
  if (status === 'cancelled') return fail('state', 'AlreadyCancelled', evidence)
  if (stored?.placementError)
    return fail('state', 'PlacementError', { ...evidence, placementError: stored.placementError })
  if (filledAmount === maxUint256) return fail('state', 'AlreadyCancelled', evidence)
  const exact = order.kind === 'sell' ? order.sellAmount : order.buyAmount
  if (filledAmount !== undefined && filledAmount > 0n && filledAmount >= exact) {
    return fail('state', 'OrderFullyExecuted', evidence)
  }
  return pass('state', evidence)
}

/** An order whose settlement reverted waits some blocks before it enters an auction again. */
const toSettlementCheck = ({ settlementFailures }: DryRunFacts, trial: Trial): Check => {
  const { failures, lastBlock, ofAccount } = settlementFailures ?? { failures: 0, lastBlock: 0, ofAccount: false }
  if (failures === 0) return pass('settlement', { failures })
  const evidence = { failures, lastBlock, nextBlock: computeNextSettlementBlock(failures, lastBlock), ofAccount }
  if (typeof trial === 'string') return skip('settlement', trial, evidence)
  return trial.block < evidence.nextBlock
    ? fail('settlement', 'SettlementFailed', evidence)
    : pass('settlement', evidence)
}

const toHooksCheck = (
  { maxGas }: DryRunDeps,
  meaning: AppDataMeaning | null,
  tooMuchGas: boolean,
  trial: Trial,
): Check => {
  if (!meaning) return skip('hooks', 'unknownAppData')
  const { pre, post } = meaning.hooks
  const gas = computeHookGas(meaning.hooks)
  const evidence = { pre: pre.length, post: post.length, gas: gas.toString(), maxGas: maxGas.toString() }
  if (tooMuchGas) return fail('hooks', 'TooMuchGas', evidence)
  if (pre.length === 0) return pass('hooks', evidence)
  if (typeof trial === 'string') return skip('hooks', trial, evidence)
  const { revertingHook } = trial
  return revertingHook ? fail('hooks', 'HookReverts', { ...evidence, ...revertingHook }) : pass('hooks', evidence)
}

/** Balance and allowance after the hooks, and whether the token really moves. */
const toFundsChecks = (
  { network }: DryRunDeps,
  { order }: ReadDraft,
  meaning: AppDataMeaning | null,
  remaining: Remainder,
  trial: Trial,
): Check[] => {
  const skipAll = (reason: string) => [
    skip('balance', reason),
    skip('allowance', reason),
    skip('transferability', reason),
  ]
  if (typeof trial === 'string') return skipAll(trial)
  if (meaning?.borrowsFunds) return skipAll('borrowedFunds')
  const { sellToken: token, partiallyFillable, fullBalanceCheck } = order
  const needed = partiallyFillable && !fullBalanceCheck ? 1n : remaining.sellAmount + order.feeAmount
  const toEvidence = (available: bigint) => ({ available: available.toString(), needed: needed.toString(), token })
  const { balance, allowance } = trial
  const spender = network.vaultRelayer
  const checks = [
    balance === undefined
      ? fail('balance', 'TransferSimulationFailed', { token })
      : balance < needed
        ? fail('balance', 'InsufficientBalance', toEvidence(balance))
        : pass('balance', toEvidence(balance)),
    allowance === undefined
      ? fail('allowance', 'TransferSimulationFailed', { token, spender })
      : allowance < needed
        ? fail('allowance', 'InsufficientAllowance', { ...toEvidence(allowance), spender })
        : pass('allowance', { ...toEvidence(allowance), spender }),
  ]
  const funded = checks.every(({ status }) => status === 'pass')
  return [...checks, funded ? toTransferCheck(order, trial) : skip('transferability', 'insufficientFunds', { token })]
}

const toTransferCheck = ({ sellToken: token }: OrderDraft, { transfers }: ChainTrial): Check => {
  const transfer = transfers.find(({ moved }) => moved) ?? transfers[0]
  if (!transfer) return fail('transferability', 'SellAmountOverflow', { token })
  const { amount, received, revert } = transfer
  if (!transfer.moved) {
    const evidence = { token, amount: amount.toString(), revert: revert ?? null }
    return fail('transferability', 'TransferSimulationFailed', evidence)
  }
  const evidence = { token, amount: amount.toString(), received: received.toString() }
  return received < amount ? fail('transferability', 'FeeOnTransfer', evidence) : pass('transferability', evidence)
}

const toPriceCheck = (order: OrderDraft, { market }: DryRunFacts): Check => {
  if (order.sellAmount === 0n) return skip('price', 'zeroAmount')
  if (!market) return skip('price', 'unknownPrice')
  const { limitPrice, marketPrice, gapBps } = computeMarketGap(order, market.sellPrice, market.buyPrice)
  const evidence = {
    limitPrice: toPriceText(limitPrice),
    marketPrice: toPriceText(marketPrice),
    gapBps,
    auctionId: market.auctionId,
  }
  return gapBps > 0 ? fail('price', 'OutOfMarket', evidence) : pass('price', evidence)
}

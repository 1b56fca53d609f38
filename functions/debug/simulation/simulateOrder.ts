import { type Address, type Hex, zeroAddress } from 'viem'
import type { DryRunFacts, DryRunQuery } from '#schema/queries/debug/dryRunFacts.ts'
import { checkAppData } from '#shared/appData/checkAppData.ts'
import { type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { findOrderFacts, type OrderFactsDeps } from '#shared/chain/findOrderFacts.ts'
import { buildHookInteractions, type OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { computeVerdict } from '#shared/orders/verdict/computeVerdict.ts'
import { type Finding, toPublicReason } from '#shared/orders/verdict/finding.ts'
import { toNewOrder } from '#shared/orders/verdict/toNewOrder.ts'
import { toTransfers } from '#shared/orders/verdict/toTransfers.ts'
import type { ChainFacts, PriceFacts, VerdictFacts } from '#shared/orders/verdict/verdictFacts.ts'
import type { TokenFault } from '#shared/tokens/checkTokenFaults.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { computeRemainder, type Remainder } from './computeRemainder.ts'
import { type Check, type DryRun, failCheck, type OrderDraft, skipCheck, toCheck } from './dryRun.ts'
import type { FindPrice } from './findExecutablePrice.ts'
import { type DraftRules, type ReadDraft, readDraft } from './readDraft.ts'
import { toShapeCheck } from './toShapeCheck.ts'

export type DryRunDeps = DraftRules &
  Omit<OrderFactsDeps, 'network'> & {
    network: Network
    /** maximum gas of settling one order, gas units */
    maxGas: bigint
    /** setting of the auctions Worker */
    minValiditySeconds: number
    outOfMarketBps: number
    /** Unix milliseconds */
    now: () => number
    findPrice: FindPrice
    /** proof that one of the tokens cannot be settled; undefined without proof, also when the node fails */
    findTokenFault: (tokens: { sellToken: Address; buyToken: Address }) => Promise<TokenFault | undefined>
    selectFacts: (query: DryRunQuery) => Promise<DryRunFacts>
    selectStoredFacts: (uid: Hex) => Promise<DryRunFacts>
  }

/** Time limit of all calls to the node together. */
const deadlineMs = 4_000

/**
 * Simulates an order that need not be placed or signed. Stores nothing. Takes one database round trip, one or two to
 * the chain, and a quote.
 */
export const simulateDraft = async (deps: DryRunDeps, order: OrderDraft): Promise<DryRun> => {
  const draft = readDraft(deps, order)
  const { uid, appDataHash } = draft
  return tryOrder(deps, draft, await deps.selectFacts({ ...order, uid, appDataHash, quoteId: order.quoteId ?? null }))
}

/**
 * Simulates the remainder of a placed order.
 * @throws ApiError `NotFound`
 */
export const simulateStoredOrder = async (deps: DryRunDeps, uid: Hex): Promise<DryRun> => {
  const facts = await deps.selectStoredFacts(uid)
  if (!facts.stored) throw new ApiError('NotFound', { description: 'order not found', data: { uid } })
  return tryOrder(deps, readDraft(deps, toDraft(facts.stored)), facts)
}

/** Verdict on the remainder of a placed order; undefined when the order no longer exists. */
export const findStoredVerdict = async (deps: DryRunDeps, uid: Hex): Promise<Finding[] | undefined> => {
  const facts = await deps.selectStoredFacts(uid)
  if (!facts.stored) return undefined
  const draft = readDraft(deps, toDraft(facts.stored))
  return computeVerdict(await findVerdictFacts(deps, draft, facts, readDocument(draft, facts).meaning))
}

/** The order signs the hash; its document is part of the facts. */
const toDraft = (order: StoredOrder): OrderDraft => ({ ...order, from: order.owner, appData: order.appDataHash })

const tryOrder = async (deps: DryRunDeps, draft: ReadDraft, facts: DryRunFacts): Promise<DryRun> => {
  const { appData, meaning } = readDocument(draft, facts)
  const known = await findVerdictFacts(deps, draft, facts, meaning)
  const shape = facts.stored ? draft.shape : toShapeCheck(draft, facts, toUnixSeconds(deps.now()))
  const checks = [shape, appData, ...computeVerdict(known).map((finding) => toDraftCheck(draft, finding))]
  return {
    fillable: checks.every(({ status }) => status !== 'fail'),
    orderUid: draft.uid,
    block: known.block ?? null,
    checks,
  }
}

/** Checks that depend on the draft alone: its signature and a missing owner. */
const toDraftCheck = (draft: ReadDraft, finding: Finding): Check => {
  const { check, evidence } = finding
  if (check === 'signature' && draft.signature) return draft.signature
  if (check === 'permission' && !draft.owner) return skipCheck('permission', 'unknownOwner')
  return finding.status === 'fail' ? failCheck(check, toPublicReason(finding.reason), evidence) : finding
}

/** Parses the document and checks that the order matches it. An order placed by a contract may lack its document. */
const readDocument = (
  { order, owner, appData, appDataHash, meaning: sent }: ReadDraft,
  { stored, fullAppData }: DryRunFacts,
): { appData: Check; meaning: ParsedAppData | null } => {
  if (appData?.status === 'fail') return { appData, meaning: null }
  const meaning = sent ?? (fullAppData === null ? null : parseAppData(fullAppData))
  const evidence = { appDataHash }
  if (!meaning) {
    const check = stored
      ? skipCheck('appData', 'unknownDocument', evidence)
      : failCheck('appData', 'InvalidAppData', evidence)
    return { appData: check, meaning }
  }
  const check = toCheck('appData', () => {
    if (owner) checkAppData(order, owner, meaning)
    return evidence
  })
  return { appData: check, meaning }
}

/** Facts for the verdict on an order: from the database, the chain and the solvers. */
const findVerdictFacts = async (
  deps: DryRunDeps,
  draft: ReadDraft,
  { stored, market, settlementFailures, inFlight }: DryRunFacts,
  meaning: ParsedAppData | null,
): Promise<VerdictFacts> => {
  const { network, bannedUsers, unsupportedTokens, maxGas, outOfMarketBps } = deps
  const { owner } = draft
  const order = stored
    ? { ...stored, signingScheme: draft.order.signingScheme }
    : toNewOrder(draft.order, owner ?? zeroAddress, meaning)
  const remaining = computeRemainder(draft.order, stored)
  const tooMuchGas = meaning !== null && computeHookGas(meaning.hooks) > maxGas
  const preInteractions = tooMuchGas ? [] : toPreInteractions(network, stored, meaning)
  const isUntouched = order.executedSellAmount === 0n
  // pre-hooks run before the first trade only
  const document = isUntouched && meaning !== null ? draft.order.appData : null
  const [chain, quoted, tokenFault] = await Promise.all([
    findChain(deps, draft, remaining, preInteractions),
    findQuoted(deps, draft, remaining, document),
    deps.findTokenFault(order),
  ])
  return {
    order,
    ...(stored ? {} : { admission: { fullBalanceCheck: draft.order.fullBalanceCheck } }),
    now: toUnixSeconds(deps.now()),
    minValiditySeconds: deps.minValiditySeconds,
    rules: { bannedUsers, unsupportedTokens, maxGas, outOfMarketBps },
    contracts: network,
    meaning,
    inFlight,
    failures: settlementFailures,
    tokenFault,
    ...(typeof chain === 'string' || chain.block === undefined ? {} : { block: chain.block }),
    chain,
    prices: { ...quoted, ...(market ?? {}) },
  }
}

const findQuoted = async (
  { findPrice }: DryRunDeps,
  { order, owner }: ReadDraft,
  remaining: Remainder,
  appData: string | null,
): Promise<PriceFacts> => {
  const noPrices = { sellPrice: undefined, buyPrice: undefined }
  if (remaining.sellAmount === 0n || remaining.buyAmount === 0n) return noPrices
  const sellAmount = remaining.sellAmount + remaining.feeAmount
  return findPrice({ ...order, ...remaining, sellAmount, owner: owner ?? zeroAddress, appData })
}

/**
 * Pre-hooks run before the first trade only; interactions of the contract that placed the order run before every trade.
 */
const toPreInteractions = (
  { hooksTrampoline }: Network,
  stored: StoredOrder | null,
  meaning: ParsedAppData | null,
): OrderInteraction[] => {
  if (!stored) return buildHookInteractions(hooksTrampoline, meaning?.hooks.pre ?? [])
  const isUntouched = stored.executedSellAmount === 0n
  return stored.preInteractions.filter(({ target }: { target: Address }) => isUntouched || target === stored.owner)
}

/** @returns why the chain was not read, or the call failed */
const findChain = async (
  { network, simulate, connect, maxGas }: DryRunDeps,
  { order, uid, digest, owner }: ReadDraft,
  remaining: Remainder,
  preInteractions: OrderInteraction[],
): Promise<ChainFacts | string> => {
  if (!owner) return 'unknownOwner'
  if (!uid || !digest) return 'unknownAppData'
  const { signingScheme, signature, sellToken } = order
  const query = {
    uid,
    digest,
    owner,
    sellToken,
    preInteractions,
    contractSignature: signingScheme === 'eip1271' ? signature : undefined,
    transfers: toTransfers({ ...order, ...remaining }),
    maxGas,
    explainsHooks: true,
  }
  try {
    return await findOrderFacts({ network, simulate, connect }, query, AbortSignal.timeout(deadlineMs))
  } catch (error) {
    if (error instanceof SimulationError) return error.reason
    throw error
  }
}

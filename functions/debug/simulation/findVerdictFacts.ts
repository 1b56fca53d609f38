import { type Address, zeroAddress } from 'viem'
import type { DryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import type { ParsedAppData } from '#shared/appData/parseAppData.ts'
import { buildHookInteractions, type OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { VerdictFacts } from '#shared/orders/verdict/computeVerdict.ts'
import { toNewOrder } from '#shared/orders/verdict/toNewOrder.ts'
import type { PriceFacts } from '#shared/orders/verdict/verdictFacts.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { computeRemainder, type Remainder } from './computeRemainder.ts'
import type { SimulationDeps } from './dryRunDeps.ts'
import { findChainFacts } from './findChainFacts.ts'
import { findPartPrice } from './findPartPrice.ts'
import type { ReadDraft } from './readDraft.ts'
import type { PriceQuery } from './requestExecutablePrice.ts'

/** Facts for the verdict on an order: from the database, the chain and the solvers. */
export const findVerdictFacts = async (
  deps: SimulationDeps,
  draft: ReadDraft,
  { stored, market, settlementFailures, inFlight }: DryRunFacts,
  parsedAppData: ParsedAppData | null,
): Promise<VerdictFacts> => {
  const { network, bannedUsers, unsupportedTokens, maxGas, outOfMarketBps, solverFeatures } = deps
  const { owner } = draft
  const order = stored
    ? { ...stored, signingScheme: draft.order.signingScheme }
    : toNewOrder(draft.order, owner, parsedAppData)
  const remaining = computeRemainder(draft.order, stored)
  const preInteractions = toPreInteractions(deps, stored, parsedAppData)
  const isUntouched = order.executedSellAmount === 0n
  // pre-hooks run before the first trade only
  const document = isUntouched && parsedAppData !== null ? draft.order.appData : null
  // before the other reads, which take all connections of the invocation
  const pauses = await deps.findPauses()
  const findingChain = findChainFacts(deps, draft, remaining, preInteractions)
  const onchainUser = stored?.onchainUser ?? null
  const findPart = (part: Remainder) => findQuoted(deps, draft, part, { appData: document, onchainUser })
  const [found, quoted, tokenFault] = await Promise.all([
    findingChain,
    draft.order.partiallyFillable
      ? findingChain.then((found) => findPartPrice(draft, remaining, toFirst(found), parsedAppData, findPart))
      : findPart(remaining),
    deps.findTokenFault(order),
  ])
  const { executable, ...prices } = quoted
  const chain = toFirst(found)
  return {
    order,
    admission: stored ? null : { fullBalanceCheck: draft.order.fullBalanceCheck },
    now: toUnixSeconds(deps.now()),
    minValiditySeconds: deps.minValiditySeconds,
    rules: { bannedUsers, unsupportedTokens, pauses, maxGas, outOfMarketBps, solverFeatures },
    contracts: network,
    appData: parsedAppData,
    inFlight,
    failures: settlementFailures,
    tokenFault,
    block: typeof chain === 'string' ? chain : (chain.block ?? 'unknownBlock'),
    chain,
    chainAfter: typeof found === 'string' ? undefined : found.after,
    prices: { ...prices, ...(market ?? {}) },
    executable,
  }
}

const toFirst = (found: Awaited<ReturnType<typeof findChainFacts>>) => (typeof found === 'string' ? found : found.facts)

const findQuoted = async (
  { findPrice }: SimulationDeps,
  { order, owner }: ReadDraft,
  remaining: Remainder,
  known: Pick<PriceQuery, 'appData' | 'onchainUser'>,
): Promise<PriceFacts> => {
  const noPrices = { sellPrice: undefined, buyPrice: undefined }
  if (remaining.sellAmount === 0n || remaining.buyAmount === 0n) return noPrices
  const sellAmount = remaining.sellAmount + remaining.feeAmount
  return findPrice({ ...order, ...remaining, sellAmount, owner: owner ?? zeroAddress, ...known })
}

/**
 * Pre-hooks run before the first trade only; interactions of the contract that placed the order run before every trade.
 * Hooks that use too much gas are not simulated.
 */
export const toPreInteractions = (
  { network: { hooksTrampoline }, maxGas }: Pick<SimulationDeps, 'network' | 'maxGas'>,
  stored: StoredOrder | null,
  parsedAppData: ParsedAppData | null,
): OrderInteraction[] => {
  if (parsedAppData !== null && computeHookGas(parsedAppData.hooks) > maxGas) return []
  if (!stored) return buildHookInteractions(hooksTrampoline, parsedAppData?.hooks.pre ?? [])
  const isUntouched = stored.executedSellAmount === 0n
  return stored.preInteractions.filter(({ target }: { target: Address }) => isUntouched || target === stored.owner)
}

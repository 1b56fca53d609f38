import type { Address, Hex } from 'viem'
import type { PlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { readAppData } from '#shared/appData/readAppData.ts'
import { buildHookInteractions } from '#shared/hooks/buildHookInteractions.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import { ApiError } from '#shared/http/errors.ts'
import { authorizeOrder } from '#shared/orders/authorizeOrder.ts'
import { checkAppData } from '#shared/orders/checkAppData.ts'
import { checkSignedFee } from '#shared/orders/checkSignedFee.ts'
import { computeExpectedOwner } from '#shared/orders/computeExpectedOwner.ts'
import { computeUsable } from '#shared/orders/computeUsable.ts'
import {
  checkAmounts,
  checkNotBanned,
  checkTokenBalances,
  checkTokens,
  checkTokensSupported,
} from '#shared/orders/orderChecks.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'
import { toTransfers } from '#shared/orders/verdict/toTransfers.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { FindToken } from '#shared/tokens/tokenWords.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { canTakeOver } from './canTakeOver.ts'
import { checkGas } from './checkGas.ts'
import { checkNotDuplicate } from './checkNotDuplicate.ts'
import { checkPlaced } from './checkPlaced.ts'
import { checkValidity } from './checkValidity.ts'
import { describePlacementError } from './describePlacementError.ts'
import { findChainFailure } from './findChainFailure.ts'
import type { PlacementDeps } from './placementDeps.ts'

const zeroAddress: Address = `0x${'0'.repeat(40)}`

/** Why the quote that an order names is ignored; `mismatch`: its tokens, kind or amounts differ. */
type QuoteIgnored = 'unknown' | 'expired' | 'mismatch'

type PlacedOrder = { uid: Hex; quoteIgnored: QuoteIgnored | null }

/**
 * Checks a signed order and stores it. The checks run in this order, cheap ones first; the first failure rejects the
 * order. Takes one database round trip and one to the chain, none to the chain for `presign`: the statement that writes the
 * order checks the stored facts as well. Three kinds of orders take another round trip that reads these facts first: those that
 * sign a fee, those whose document comes as its hash, because its hooks count, and those that the chain refuses, because errors
 * of stored facts take precedence.
 *
 * Placement requests no quote: quoting belongs to another Worker and would take seconds per order. An order without a
 * matching stored quote is a limit order without a quote, and counts as one outside the market.
 *
 * A signed order takes over an unsigned one with the same UID: a UID does not depend on the signing scheme, and a
 * stranger can send any terms as `presign` first.
 * @param submitter pseudonym under which unsigned orders are counted (`computeSubmitter`)
 * @returns the order's UID, and why its named quote is ignored, null when the quote counts or none is named
 */
export const placeOrder = async (
  deps: PlacementDeps,
  creation: OrderCreation,
  submitter: Hex,
): Promise<PlacedOrder> => {
  const { network } = deps
  const receivedAt = deps.now()
  const now = toUnixSeconds(receivedAt)
  const { appDataHash, fullAppData, meaning: sentAppData } = readAppData(creation.appData, creation.appDataHash)
  checkAmounts(creation)
  if (typeof creation.quoteId !== 'number') checkSignedFee(creation, null, null, now)
  checkTokenBalances(creation)
  checkValidity(creation, now, deps.minValiditySeconds)
  checkTokens(creation, network.wrappedNative)
  checkTokensSupported(deps.unsupportedTokens, creation)

  const receiver = creation.receiver ?? zeroAddress
  const digest = computeOrderDigest(deps.domainSeparator, { ...creation, receiver, appDataHash })
  const expectedOwner = computeExpectedOwner(creation.from, sentAppData?.signer ?? null)
  const { owner, signature } = authorizeOrder(creation, digest, expectedOwner, deps.recoverPublicKey)
  if (sentAppData) checkAppData(creation, owner, sentAppData)
  checkNotBanned(deps.bannedUsers, { owner, receiver: creation.receiver, partnerFees: sentAppData?.partnerFees })
  const { signingScheme, sellToken } = creation
  const isPresign = signingScheme === 'presign'
  if (sentAppData && !isPresign) checkGas(sentAppData.hooks, null, deps.maxGas)

  const uid = packOrderUid(digest, owner, creation.validTo)
  const order = { ...creation, uid, owner, appDataHash, quoteId: creation.quoteId ?? null }
  const signsFee = creation.feeAmount > 0n
  const findStoredFacts = async (): Promise<{ stored: PlacementFacts; appData: ParsedAppData }> => {
    const stored = await deps.selectPlacementFacts(order, now)
    if (stored.duplicate && !canTakeOver(stored.duplicate, signingScheme)) checkNotDuplicate(stored.duplicate, now)
    checkSignedFee(creation, creation.quoteId, stored.namedQuote, now)
    if (sentAppData) return { stored, appData: sentAppData }
    const appData = readStoredAppData(appDataHash, stored.fullAppData)
    checkAppData(creation, owner, appData)
    checkNotBanned(deps.bannedUsers, { partnerFees: appData.partnerFees })
    if (!isPresign) checkGas(appData.hooks, null, deps.maxGas)
    return { stored, appData }
  }
  const { stored, appData } =
    sentAppData && !signsFee ? { stored: undefined, appData: sentAppData } : await findStoredFacts()

  const { hooks, replacedOrder } = appData
  const preInteractions = buildHookInteractions(network.hooksTrampoline, hooks.pre)
  const [chain, unsupported] = await Promise.all([
    isPresign
      ? undefined
      : deps.findOrderFacts({
          uid,
          digest,
          owner,
          sellToken,
          preInteractions,
          contractSignature: signingScheme === 'eip1271' ? signature : undefined,
          transfers: toTransfers(creation),
          maxGas: deps.maxGas,
          explainsHooks: false,
        }),
    // errors of stored facts take precedence, so that a client always receives the same one
    deps.checkTokenFaults(creation, !isPresign).catch(returnApiError),
  ])
  const failure =
    unsupported ?? (chain && findChainFailure(deps, { ...creation, uid, digest, owner }, appData, chain, now))
  if (failure || computeHookGas(hooks) > deps.maxGas) {
    const { quote, namedQuote } = stored ?? (await findStoredFacts()).stored
    if (failure) throw describePlacementError(failure, await findSellToken(deps, failure, sellToken))
    checkGas(hooks, signsFee ? namedQuote : quote, deps.maxGas)
  }

  const outcome = await deps.insertOrder(
    {
      ...order,
      chainId: network.chainId,
      validFrom: appData.validFrom,
      signature,
      settlementContract: network.settlementContract,
      preInteractions,
      postInteractions: buildHookInteractions(network.hooksTrampoline, hooks.post),
      class: 'limit',
      availableBalance: chain ? computeAvailable(creation, chain) : null,
      partnerFees: appData.partnerFees,
      referrerCode: appData.referrerCode,
      admissionMs: Math.max(0, deps.now() - receivedAt),
      submittedBy: isPresign ? submitter : null,
      fullAppData: stored && stored.fullAppData !== null ? null : fullAppData,
    },
    replacedOrder && { uid: replacedOrder, now },
    { ...deps.bounds, now },
    { now, maxGas: deps.maxGas },
  )
  checkPlaced(outcome, { owner, signingScheme, replacedOrder, hooks }, deps.maxGas, now)
  const { quote, namedUntil } = outcome
  return {
    uid,
    quoteIgnored: quote?.quoteId === creation.quoteId ? null : computeQuoteIgnored(creation.quoteId, namedUntil, now),
  }
}

const returnApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  throw error
}

/** Only errors with amounts name the token. */
const findSellToken = async (
  { findTokens }: PlacementDeps,
  { data }: ApiError,
  sellToken: Address,
): Promise<FindToken> =>
  data?.required === undefined ? () => undefined : findTokens([sellToken]).catch(() => () => undefined)

const computeQuoteIgnored = (
  named: number | null | undefined,
  namedUntil: Date | null,
  now: number,
): QuoteIgnored | null => {
  if (typeof named !== 'number') return null
  if (!namedUntil) return 'unknown'
  return namedUntil.getTime() < now * 1_000 ? 'expired' : 'mismatch'
}

const computeAvailable = (creation: OrderCreation, { funds }: ChainFacts): bigint | null =>
  funds?.balance === undefined || funds.allowance === undefined
    ? null
    : computeUsable({ ...creation, executedSellAmount: 0n }, minOf(funds.balance, funds.allowance))

const readStoredAppData = (appDataHash: Hex, document: string | null): ParsedAppData => {
  if (document !== null) return parseAppData(document)
  throw new ApiError('InvalidAppData', { description: 'no document has this hash', data: { appDataHash } })
}

import { type Address, type Hex, zeroAddress } from 'viem'
import type { NewOrder } from '#schema/queries/orders/orders.ts'
import type { PlacementFacts, PlacementQuery } from '#schema/queries/orders/placementFacts.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { type Hooks, type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { readAppData } from '#shared/appData/readAppData.ts'
import { buildHookInteractions } from '#shared/hooks/buildHookInteractions.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import { authorizeOrder } from '#shared/orders/authorizeOrder.ts'
import type { OrderQuery } from '#shared/orders/chainFacts/orderQuery.ts'
import { checkAppData } from '#shared/orders/checkAppData.ts'
import { checkGas } from '#shared/orders/checkGas.ts'
import { checkSignedFee } from '#shared/orders/checkSignedFee.ts'
import { computeExpectedOwner } from '#shared/orders/computeExpectedOwner.ts'
import { computeUsable } from '#shared/orders/computeUsable.ts'
import {
  checkAmounts,
  checkNotBanned,
  checkReceiver,
  checkTokenBalances,
  checkTokens,
  checkTokensSupported,
} from '#shared/orders/orderChecks.ts'
import type { OrderCreation } from '#shared/orders/orderCreation.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import { toTransfers } from '#shared/orders/verdict/toTransfers.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { RecoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'
import type { FindToken } from '#shared/tokens/tokenWords.ts'
import { canTakeOver } from './canTakeOver.ts'
import { checkNotDuplicate } from './checkNotDuplicate.ts'
import { checkValidity } from './checkValidity.ts'
import { describePlacementError } from './describePlacementError.ts'
import { findChainFailure, findSupportFailure } from './findChainFailure.ts'

/** Rules of the deployment and facts of the chain. */
export type CheckDeps = {
  network: Pick<Network, 'chainId' | 'wrappedNative' | 'settlementContract' | 'vaultRelayer' | 'hooksTrampoline'>
  /** EIP-712 domain of the network's settlement contract */
  domainSeparator: Hex
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
  /** capabilities of each configured solver's driver */
  solverFeatures: readonly ReadonlySet<SolverFeature>[]
  /** maximum gas of settling one order, gas units */
  maxGas: bigint
  /** least remaining validity of a new order */
  minValiditySeconds: number
  recoverPublicKey: RecoverPublicKey
  /**
   * rejects with `UnsupportedToken` when a token is proven to lose amounts; resolves without proof and when the node
   * fails
   * @param isNew false: only cached verdicts count
   */
  checkTokenFaults: (tokens: { sellToken: Address; buyToken: Address }, isNew: boolean) => Promise<void>
  /** known token facts, for error descriptions */
  findTokens: (tokens: readonly Address[]) => Promise<FindToken>
  /** rejects with `ServiceUnavailable` when the node fails or exceeds the time limit */
  findOrderFacts: (query: OrderQuery) => Promise<ChainFacts>
}

/** An order that may be stored, without the facts of its submission. */
export type CheckedOrder = {
  order: Omit<NewOrder, 'admissionMs' | 'submittedBy'>
  /** UID of the order that it replaces */
  replacedOrder: Hex | null
  hooks: Hooks
}

/**
 * Checks a signed order by its text, then by the chain. Cheap checks come first; the first failure rejects the order.
 * The stored facts are read at most once, and only for three kinds of orders: those that sign a fee, those whose
 * document comes as its hash, because its hooks count, and those that the chain refuses, because errors of stored facts
 * take precedence.
 * @param findPlacementFacts reads the stored facts: `selectPlacementFacts`
 * @param now Unix seconds
 */
export const checkNewOrder = async (
  deps: CheckDeps,
  creation: OrderCreation,
  findPlacementFacts: (order: PlacementQuery) => Promise<PlacementFacts>,
  now: number,
): Promise<CheckedOrder> => {
  const { network } = deps
  const { appDataHash, fullAppData, parsedAppData: sentAppData } = readAppData(creation)
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
  checkReceiver(creation, network, sentAppData)
  if (sentAppData) checkAppData(creation, owner, sentAppData)
  checkNotBanned(deps.bannedUsers, { owner, receiver: creation.receiver, partnerFees: sentAppData?.partnerFees })
  const { signingScheme, sellToken } = creation
  const isPresign = signingScheme === 'presign'
  if (sentAppData && !isPresign) checkGas(sentAppData.hooks, null, deps.maxGas)

  const uid = packOrderUid(digest, owner, creation.validTo)
  const order = { ...creation, uid, owner, appDataHash, quoteId: creation.quoteId ?? null }
  const signsFee = creation.feeAmount > 0n
  const findStoredFacts = async (): Promise<{ stored: PlacementFacts; appData: ParsedAppData }> => {
    const stored = await findPlacementFacts(order)
    if (stored.duplicate && !canTakeOver(stored.duplicate, signingScheme)) checkNotDuplicate(stored.duplicate, now)
    checkSignedFee(creation, creation.quoteId, stored.namedQuote, now)
    if (sentAppData) return { stored, appData: sentAppData }
    const appData = readStoredAppData(appDataHash, stored.fullAppData)
    checkReceiver(creation, network, appData)
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
          payout: {
            buyToken: creation.buyToken,
            beneficiary: toBeneficiary({ ...creation, owner }),
            amount: creation.buyAmount,
          },
          maxGas: deps.maxGas,
        }),
    // errors of stored facts take precedence, so that a client always receives the same one
    deps.checkTokenFaults(creation, !isPresign).catch(returnApiError),
  ])
  const failure =
    unsupported ??
    (chain
      ? findChainFailure(deps, { ...creation, uid, digest, owner }, appData, chain, now)
      : findSupportFailure(deps, { ...creation, owner }, appData))
  if (failure || computeHookGas(hooks) > deps.maxGas) {
    const { quote, namedQuote } = stored ?? (await findStoredFacts()).stored
    if (failure) throw describePlacementError(failure, await findSellToken(deps, failure, sellToken))
    checkGas(hooks, signsFee ? namedQuote : quote, deps.maxGas)
  }

  return {
    order: {
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
      fullAppData: stored && stored.fullAppData !== null ? null : fullAppData,
    },
    replacedOrder,
    hooks,
  }
}

const returnApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  throw error
}

/** Only errors with amounts name the token. */
const findSellToken = async ({ findTokens }: CheckDeps, { data }: ApiError, sellToken: Address): Promise<FindToken> =>
  data?.required === undefined ? () => undefined : findTokens([sellToken]).catch(() => () => undefined)

const computeAvailable = (creation: OrderCreation, { funds }: ChainFacts): bigint | null =>
  funds.balance === undefined || funds.allowance === undefined
    ? null
    : computeUsable({ ...creation, executedSellAmount: 0n }, minOf(funds.balance, funds.allowance))

const readStoredAppData = (appDataHash: Hex, document: string | null): ParsedAppData => {
  if (document !== null) return parseAppData(document)
  throw new ApiError('InvalidAppData', {
    description:
      'no document with this hash is known: send the document itself as appData or fullAppData, or upload it with ' +
      'PUT app_data first',
    data: { appDataHash },
  })
}

import type { Address, Hex } from 'viem'
import type { NewOrder, PlacementFacts } from '#schema/queries/orders.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import { checkNotBanned } from '#shared/orders/checkNotBanned.ts'
import { checkTokenBalances } from '#shared/orders/checkTokenBalances.ts'
import { checkTokens } from '#shared/orders/checkTokens.ts'
import { readAppData } from '#shared/orders/readAppData.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { authorizeOrder } from './authorizeOrder.ts'
import { checkAmounts } from './checkAmounts.ts'
import { checkFunds } from './checkFunds.ts'
import { checkNotDuplicate } from './checkNotDuplicate.ts'
import { checkValidity } from './checkValidity.ts'
import type { ChainFacts, ChainQuery } from './findChainFacts.ts'
import { matchesQuote } from './matchesQuote.ts'
import type { OrderCreation } from './orderCreation.ts'

const zeroAddress: Address = `0x${'0'.repeat(40)}`

export type PlacementDeps = {
  network: Pick<Network, 'chainId' | 'wrappedNative' | 'settlementContract' | 'vaultRelayer'>
  /** EIP-712 domain of the network's settlement contract */
  domainSeparator: Hex
  bannedUsers: ReadonlySet<Address>
  /** Unix seconds */
  now: () => number
  findChainFacts: (query: ChainQuery) => Promise<ChainFacts>
  selectPlacementFacts: (order: { uid: Hex; quoteId: number | null; appDataHash: Hex }) => Promise<PlacementFacts>
  insertOrder: (order: NewOrder) => Promise<boolean>
}

/**
 * Checks a signed order and stores it. The checks run in this order, cheap ones first; the first that fails is the answer,
 * and then nothing is stored. Two database round trips and one to the chain, none to the chain for `presign`.
 * @returns the order's UID
 */
export const placeOrder = async (deps: PlacementDeps, creation: OrderCreation): Promise<Hex> => {
  const { network } = deps
  const now = deps.now()
  const { appDataHash, fullAppData } = readAppData(creation.appData, creation.appDataHash)
  checkAmounts(creation)
  checkTokenBalances(creation)
  checkValidity(creation, now)
  checkTokens(creation, network.wrappedNative)

  const receiver = creation.receiver ?? zeroAddress
  const digest = computeOrderDigest(deps.domainSeparator, { ...creation, receiver, appDataHash })
  const { owner, signature } = authorizeOrder(creation, digest)
  checkNotBanned(deps.bannedUsers, { owner, receiver: creation.receiver })
  const uid = packOrderUid(digest, owner, creation.validTo)

  const { signingScheme, sellToken } = creation
  const contractSignature = signingScheme === 'eip1271' ? { digest, signature } : undefined
  const [chain, stored] = await Promise.all([
    signingScheme === 'presign'
      ? undefined
      : deps.findChainFacts({ owner, sellToken, vaultRelayer: network.vaultRelayer, contractSignature }),
    deps.selectPlacementFacts({ uid, quoteId: creation.quoteId ?? null, appDataHash }),
  ])
  checkNotDuplicate(stored.duplicate, now)
  if (fullAppData === null && stored.fullAppData === null) {
    throw new ApiError('InvalidAppData', { description: 'no document has this hash', data: { appDataHash } })
  }
  if (chain) {
    if (!chain.signatureAccepted) throw new ApiError('InvalidEip1271Signature', { data: { owner, digest } })
    checkFunds(creation, chain)
  }

  const quote = stored.quote && matchesQuote(creation, stored.quote, now) ? stored.quote : undefined
  const inserted = await deps.insertOrder({
    ...creation,
    chainId: network.chainId,
    uid,
    owner,
    appDataHash,
    signature,
    settlementContract: network.settlementContract,
    class: quote ? 'market' : 'limit',
    quoteId: quote?.id ?? null,
    fullAppData: stored.fullAppData === null ? fullAppData : null,
  })
  if (!inserted) throw new ApiError('DuplicatedOrder', { data: { uid } })
  return uid
}

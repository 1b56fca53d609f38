import type { Address, Hex } from 'viem'
import type { Database } from '#schema/client.ts'
import {
  type CancellationFacts,
  type OrderInFlight,
  selectCancellationFacts,
  updateCancelledOrders,
} from '#schema/queries/orders/cancellations.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { RecoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { recoverSigner } from '#shared/signing/recoverSigner.ts'
import type { EcdsaSigningScheme } from '#shared/signing/signingScheme.ts'
import { toUnixSeconds } from '#shared/toUnixSeconds.ts'
import { checkCancellable } from './checkCancellable.ts'

export type CancellationDeps = {
  database: Database
  chainId: number
  /** EIP-712 domain of the network's settlement contract */
  domainSeparator: Hex
  /** Unix milliseconds */
  now: () => number
  recoverPublicKey: RecoverPublicKey
}

export type Cancellation = {
  orderUids: Hex[]
  /** digest that the owner signed: `computeCancellationDigest` or `computeCancellationsDigest` */
  digest: Hex
  signingScheme: EcdsaSigningScheme
  signature: Hex
}

/**
 * Cancels all of the orders or none. Checks in this order: every order can be cancelled, the signature has a signer,
 * the signer owns every order. The cancellation is off-chain: later auctions exclude the orders, but a solver that
 * already won one may settle it until its deadline.
 * @returns the value of `X-Order-In-Flight`; undefined when none of the orders is in an auction
 * @throws ApiError `OrderNotFound`, those of `checkCancellable`, `InvalidSignature`, `WrongOwner`
 */
export const cancelOrders = async (deps: CancellationDeps, cancellation: Cancellation): Promise<string | undefined> => {
  const now = toUnixSeconds(deps.now())
  const uids = [...new Set(cancellation.orderUids)]
  const orders = await findCancellable(deps, uids, now)
  checkOwner(orders, toSigner(deps, cancellation))
  if (uids.length === 0) return undefined
  const inFlight = await updateCancelledOrders(deps.database, deps.chainId, uids, now)
  if (inFlight) return toInFlightHeader(inFlight, cancellation.orderUids)
  // an order changed in the meantime: report how
  await findCancellable(deps, uids, now)
  throw new ApiError('ServiceUnavailable', { data: { dependency: 'database', retryable: true } })
}

const findCancellable = async (
  { database, chainId }: CancellationDeps,
  uids: Hex[],
  now: number,
): Promise<CancellationFacts[]> => {
  const stored = uids.length > 0 ? await selectCancellationFacts(database, chainId, uids) : []
  const byUid = new Map(stored.map((order) => [order.uid, order]))
  return uids.map((uid) => {
    const order = byUid.get(uid)
    if (!order) throw new ApiError('OrderNotFound', { data: { uid } })
    checkCancellable(order, now)
    return order
  })
}

const toSigner = (
  { recoverPublicKey }: CancellationDeps,
  { signingScheme, digest, signature }: Cancellation,
): Address => {
  const { signer, failure } = recoverSigner(signingScheme, digest, signature, recoverPublicKey)
  if (!failure) return signer
  throw new ApiError('InvalidSignature', { description: 'the signature has no signer', data: { failure } })
}

const checkOwner = (orders: CancellationFacts[], signer: Address): void => {
  const foreign = orders.find(({ owner }) => owner !== signer)
  if (foreign) throw new ApiError('WrongOwner', { data: { uid: foreign.uid, signer, expected: foreign.owner } })
}

const toInFlightHeader = (inFlight: OrderInFlight[], orderUids: Hex[]): string | undefined => {
  const places = inFlight.map((order) => ({ place: orderUids.indexOf(order.uid), ...order }))
  const members = places
    .toSorted((a, b) => a.place - b.place)
    .map(
      ({ place, auctionId, deadlineBlock }) =>
        `${place};auction=${auctionId}${deadlineBlock === null ? '' : `;deadline=${deadlineBlock}`}`,
    )
  return members.join(', ') || undefined
}

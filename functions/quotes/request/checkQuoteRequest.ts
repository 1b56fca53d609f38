import type { Address } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import { checkNotBanned, checkTokenBalances, checkTokens, checkTokensSupported } from '#shared/orders/orderChecks.ts'
import type { QuoteRequest } from './quoteRequest.ts'

const maximumValiditySeconds = 3 * 60 * 60
const defaultValiditySeconds = 1_800
const maxUint32 = 0xffff_ffff

/** `now` in Unix milliseconds; `minValiditySeconds`: least remaining validity of an order */
type CheckQuoteRequestDeps = {
  network: Network
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
  minValiditySeconds: number
  now: number
}

/**
 * Checks the placement rules that already apply to the quoted order, in the same order as placement.
 * @returns `validTo` of the quoted order: last valid second, Unix time
 * @throws ApiError `Forbidden`, `UnsupportedBuyTokenDestination`, `UnsupportedSellTokenSource`, `InsufficientValidTo`,
 *   `ExcessiveValidTo`, `SameBuyAndSellToken`, `InvalidNativeSellToken`, `UnsupportedToken`
 */
export const checkQuoteRequest = (request: QuoteRequest, deps: CheckQuoteRequestDeps): { validTo: number } => {
  checkNotBanned(deps.bannedUsers, { owner: request.from, receiver: request.receiver })
  checkTokenBalances(request)
  const validTo = computeValidTo(request, Math.floor(deps.now / 1_000), deps.minValiditySeconds)
  checkTokens(request, deps.network.wrappedNative)
  checkTokensSupported(deps.unsupportedTokens, request)
  return { validTo }
}

/**
 * A quoted order is a market order, valid for hours at most. Presign orders may live longer, because signing takes a
 * transaction.
 */
const computeValidTo = (request: QuoteRequest, nowSeconds: number, minSeconds: number): number => {
  const validTo = request.validTo ?? nowSeconds + (request.validFor ?? defaultValiditySeconds)
  const earliest = nowSeconds + minSeconds
  const latest = request.signingScheme === 'presign' ? maxUint32 : nowSeconds + maximumValiditySeconds
  if (validTo < earliest) throw new ApiError('InsufficientValidTo', { data: { validTo, minimum: earliest } })
  if (validTo > latest) throw new ApiError('ExcessiveValidTo', { data: { validTo, maximum: latest } })
  return validTo
}

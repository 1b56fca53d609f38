import type { Address } from 'viem'
import { ApiError } from '../http/errors.ts'
import { nativeSentinel } from '../networks.ts'

/**
 * Checks that the tokens differ and the sell token is an ERC-20. Selling the wrapped native token for the native one is
 * unwrapping, not a trade.
 * @throws ApiError `SameBuyAndSellToken`, `InvalidNativeSellToken`
 */
export const checkTokens = (
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  wrappedNative: Address,
): void => {
  if (sellToken === buyToken || (sellToken === wrappedNative && buyToken === nativeSentinel)) {
    throw new ApiError('SameBuyAndSellToken', { data: { sellToken, buyToken } })
  }
  if (sellToken === nativeSentinel) {
    throw new ApiError('InvalidNativeSellToken', { data: { sellToken, wrappedNative } })
  }
}

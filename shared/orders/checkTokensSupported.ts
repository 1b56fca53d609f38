import type { Address } from 'viem'
import { ApiError } from '../http/errors.ts'

/**
 * Rejects tokens that this deployment does not trade, such as fee-on-transfer tokens.
 * @param unsupportedTokens the setting `UNSUPPORTED_TOKENS`
 * @throws ApiError `UnsupportedToken`
 */
export const checkTokensSupported = (
  unsupportedTokens: ReadonlySet<Address>,
  tokens: { sellToken: Address; buyToken: Address },
): void => {
  for (const field of ['sellToken', 'buyToken'] as const) {
    const token = tokens[field]
    if (unsupportedTokens.has(token)) throw new ApiError('UnsupportedToken', { data: { field, token } })
  }
}

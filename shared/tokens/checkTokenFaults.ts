import type { Address } from 'viem'
import { ApiError } from '../http/errors.ts'
import type { FindLayout } from './createLayoutFinder.ts'
import { type CheckTokenFaultsDeps, findTokenFault, type TokenFaults } from './findTokenFault.ts'
import { describeTokenFault, type TokenFault, toFaultData } from './tokenFault.ts'

/**
 * Checks for tokens that lose amounts in transfers or rebase. The proof is a plain transfer between two neutral accounts,
 * or between a pool and one, in one simulation, independent of the owner and hooks of a request.
 * @param tokens in the fields `sellToken` and `buyToken` of the request
 * @param findLayout undefined: only cached verdicts count
 * @throws ApiError `UnsupportedToken` with the amounts of the proof
 */
export const checkTokenFaults = async (
  deps: CheckTokenFaultsDeps,
  tokens: { sellToken: Address; buyToken: Address },
  signal: AbortSignal,
  findLayout: FindLayout | undefined,
): Promise<void> => {
  const fault = await findFaultOfTokens(deps, tokens, signal, findLayout)
  if (!fault) return
  throw new ApiError('UnsupportedToken', {
    description: describeTokenFault(fault.reason),
    data: toFaultData(fault, tokens),
  })
}

/** The first of the two tokens that is proven to lose amounts in transfer or to rebase; as `checkTokenFaults`. */
export const findFaultOfTokens = async (
  deps: CheckTokenFaultsDeps,
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  signal: AbortSignal,
  findLayout: FindLayout | undefined,
): Promise<TokenFault | undefined> => {
  const faults = await Promise.all(
    [sellToken, buyToken].map((token) => findTokenFault(deps, token, signal, findLayout)),
  )
  return faults[0] ?? faults[1]
}

/** Drops the cached verdicts on both tokens: when every offer is refuted, a token may have changed. */
export const forgetTokens = (tokenFaults: TokenFaults, tokens: { sellToken: Address; buyToken: Address }): void => {
  tokenFaults.delete(tokens.sellToken)
  tokenFaults.delete(tokens.buyToken)
}

import type { Address, Hex } from 'viem'
import type { Network } from '#shared/networks.ts'
import { checkQuoteRequest } from './checkQuoteRequest.ts'
import type { QuoteRequest } from './quoteRequest.ts'
import { type ResolvedAppData, resolveAppData } from './resolveAppData.ts'

export type PrepareRequestDeps = {
  network: Network
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
  now: () => number
  /** the stored app data document of a hash */
  findDocument: (hash: Hex) => Promise<string | undefined>
}

/** A request that broke no rule, with everything about its order that does not depend on a price. */
export type PreparedRequest = {
  request: QuoteRequest
  /** last valid second of the order, Unix time */
  validTo: number
  appData: ResolvedAppData
}

/** @throws ApiError as `checkQuoteRequest` and `resolveAppData` */
export const prepareRequest = async (deps: PrepareRequestDeps, request: QuoteRequest): Promise<PreparedRequest> => {
  const { validTo } = checkQuoteRequest(request, { ...deps, now: deps.now() })
  return { request, validTo, appData: await resolveAppData(request, deps.findDocument) }
}

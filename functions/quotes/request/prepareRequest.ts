import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { Network } from '#shared/networks.ts'
import { checkQuoteRequest } from './checkQuoteRequest.ts'
import { computePartnerFees, type QuotedPartnerFee } from './computePartnerFees.ts'
import type { QuoteRequest } from './quoteRequest.ts'
import { type ResolvedAppData, resolveAppData } from './resolveAppData.ts'

export type PrepareRequestDeps = {
  database: Database
  network: Network
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
  /** least remaining validity of an order */
  minValiditySeconds: number
  now: () => number
}

/** A valid request with everything about its order that does not depend on prices. */
export type PreparedRequest = {
  request: QuoteRequest
  /** receipt time, Unix milliseconds */
  receivedAt: number
  /** last valid second of the order, Unix time */
  validTo: number
  appData: Omit<ResolvedAppData, 'partnerFees'> & { partnerFees: QuotedPartnerFee[] }
}

/** @throws ApiError as `checkQuoteRequest`, `resolveAppData` and `computePartnerFees` */
export const prepareRequest = async (deps: PrepareRequestDeps, request: QuoteRequest): Promise<PreparedRequest> => {
  const receivedAt = deps.now()
  const { validTo } = checkQuoteRequest(request, { ...deps, now: receivedAt })
  const appData = await resolveAppData(deps.database, request)
  return { request, receivedAt, validTo, appData: { ...appData, partnerFees: computePartnerFees(request, appData) } }
}

import { type Address, zeroAddress } from 'viem'
import type { Database } from '#schema/client.ts'
import { parseAppData } from '#shared/appData/parseAppData.ts'
import type { Network } from '#shared/networks.ts'
import { checkAppData } from '#shared/orders/checkAppData.ts'
import { checkGas } from '#shared/orders/checkGas.ts'
import { checkNotBanned, checkReceiver } from '#shared/orders/orderChecks.ts'
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
  /** maximum gas of settling one order, gas units */
  maxGas: bigint
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

/**
 * @throws ApiError as `checkQuoteRequest`, `resolveAppData`, `checkGas`, `checkReceiver`, `checkAppData` and
 *   `computePartnerFees`; `Forbidden` for a banned partner
 */
export const prepareRequest = async (deps: PrepareRequestDeps, request: QuoteRequest): Promise<PreparedRequest> => {
  const receivedAt = deps.now()
  const { validTo } = checkQuoteRequest(request, { ...deps, now: receivedAt })
  const appData = await resolveAppData(deps.database, request)
  checkGas(appData.hooks, null, deps.maxGas)
  checkDocument(deps, { ...request, validTo }, appData.fullAppData)
  return { request, receivedAt, validTo, appData: { ...appData, partnerFees: computePartnerFees(request, appData) } }
}

/** The rules of placement that concern the order and its document together. Without a wallet no owner is known. */
const checkDocument = (
  { network, bannedUsers }: PrepareRequestDeps,
  { from, signingScheme, validTo, ...request }: QuoteRequest & { validTo: number },
  document: string | null,
): void => {
  const appData = document === null ? null : parseAppData(document)
  checkReceiver(request, network, appData)
  if (!appData) return
  checkNotBanned(bannedUsers, { partnerFees: appData.partnerFees })
  if (from !== zeroAddress) checkAppData({ from, signingScheme, validTo }, from, appData)
}

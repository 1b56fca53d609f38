import { type Hex, zeroHash } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectAppData } from '#schema/queries/orders/appData.ts'
import { type Hooks, type ParsedAppData, type PartnerFee, parseAppData } from '#shared/appData/parseAppData.ts'
import { readAppData } from '#shared/appData/readAppData.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { QuoteRequest } from './quoteRequest.ts'

/** App data as returned with the quote: the exact document text when the client sent one, else the hash. */
export type ResolvedAppData = {
  appData: string
  appDataHash: Hex
  hooks: Hooks
  /** gas units that the hooks reserve */
  hookGas: bigint
  partnerFees: PartnerFee[]
}

/**
 * Resolves a request's `appData`: nothing (the zero hash, the empty document), the hash of an uploaded document, or a
 * document.
 * @throws ApiError `InvalidAppData` for an unknown hash or an invalid document; `AppDataHashMismatch`
 */
export const resolveAppData = async (
  database: Database,
  request: Pick<QuoteRequest, 'appData' | 'appDataHash'>,
): Promise<ResolvedAppData> => {
  const { appDataHash, fullAppData, parsedAppData } = readAppData(request.appData ?? zeroHash, request.appDataHash)
  if (parsedAppData) {
    const appData = appDataHash === zeroHash ? zeroHash : (fullAppData ?? appDataHash)
    return { appData, appDataHash, ...toResolved(parsedAppData) }
  }
  const document = await selectAppData(database, appDataHash)
  if (document === undefined) {
    throw new ApiError('InvalidAppData', { description: 'no document has this hash', data: { appDataHash } })
  }
  return { appData: appDataHash, appDataHash, ...toResolved(parseAppData(document)) }
}

const toResolved = ({ hooks, partnerFees }: ParsedAppData) => ({ hooks, hookGas: computeHookGas(hooks), partnerFees })

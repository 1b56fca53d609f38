import { type Hex, zeroHash } from 'viem'
import type { Database } from '#schema/client.ts'
import { selectAppData } from '#schema/queries/orders/appData.ts'
import { type Hooks, type ParsedAppData, type PartnerFee, parseAppData } from '#shared/appData/parseAppData.ts'
import { readAppData } from '#shared/appData/readAppData.ts'
import { computeHookGas } from '#shared/hooks/computeHookGas.ts'
import type { QuoteRequest } from './quoteRequest.ts'

/** App data as returned with the quote: the exact document text when the client sent one, else the hash. */
export type ResolvedAppData = {
  appData: string
  appDataHash: Hex
  /** null: no document with this hash is known, so neither are hooks and partner fees */
  fullAppData: string | null
  hooks: Hooks
  /** gas units that the hooks reserve */
  hookGas: bigint
  partnerFees: PartnerFee[]
}

/**
 * Resolves a request's `appData`: nothing (the zero hash, the empty document), the hash of a document, or a document. A
 * document needs no upload before its order is placed, so a quote accepts the hash of an unknown one.
 * @throws ApiError `InvalidAppData` for an invalid document; `AppDataHashMismatch`
 */
export const resolveAppData = async (
  database: Database,
  request: Pick<QuoteRequest, 'appData' | 'appDataHash' | 'fullAppData'>,
): Promise<ResolvedAppData> => {
  const { appDataHash, fullAppData, parsedAppData } = readAppData({ ...request, appData: request.appData ?? zeroHash })
  if (parsedAppData) {
    const appData = appDataHash === zeroHash ? zeroHash : (fullAppData ?? appDataHash)
    return { appData, appDataHash, fullAppData, ...toResolved(parsedAppData) }
  }
  const document = (await selectAppData(database, appDataHash)) ?? null
  return { appData: appDataHash, appDataHash, fullAppData: document, ...toResolved(parseAppData(document ?? '{}')) }
}

const toResolved = ({ hooks, partnerFees }: ParsedAppData) => ({ hooks, hookGas: computeHookGas(hooks), partnerFees })

import { type Hex, zeroHash } from 'viem'
import { computeHookGas } from '#shared/appData/computeHookGas.ts'
import { parseAppData } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import { readAppData } from '#shared/orders/readAppData.ts'
import type { QuoteRequest } from './quoteRequest.ts'

/** App data as the quote returns it: the document's exact text when the client sent one, else the hash. */
export type ResolvedAppData = {
  appData: string
  appDataHash: Hex
  /** gas units that the hooks of the document reserve */
  hookGas: bigint
}

/**
 * Finds out what a request's `appData` means: nothing (the zero hash, which stands for the empty document), the hash of
 * a document uploaded before, or a document.
 * @param findDocument the stored document of a hash
 * @throws ApiError `InvalidAppData` for an unknown hash or an unusable document; `AppDataHashMismatch`
 */
export const resolveAppData = async (
  request: Pick<QuoteRequest, 'appData' | 'appDataHash'>,
  findDocument: (hash: Hex) => Promise<string | undefined>,
): Promise<ResolvedAppData> => {
  const { appDataHash, fullAppData, meaning } = readAppData(request.appData ?? zeroHash, request.appDataHash)
  if (appDataHash === zeroHash) return { appData: zeroHash, appDataHash, hookGas: 0n }
  if (meaning) return { appData: fullAppData ?? appDataHash, appDataHash, hookGas: computeHookGas(meaning.hooks) }
  const document = await findDocument(appDataHash)
  if (document === undefined) {
    throw new ApiError('InvalidAppData', { description: 'no document has this hash', data: { appDataHash } })
  }
  return { appData: appDataHash, appDataHash, hookGas: computeHookGas(parseAppData(document).hooks) }
}

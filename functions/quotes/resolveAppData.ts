import { type Hex, zeroHash } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import { readAppData } from '#shared/orders/readAppData.ts'
import type { QuoteRequest } from './quoteRequest.ts'

/** App data as the quote returns it: the document's exact text when the client sent one, else the hash. */
export type ResolvedAppData = { appData: string; appDataHash: Hex }

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
  const { appDataHash, fullAppData } = readAppData(request.appData ?? zeroHash, request.appDataHash)
  if (appDataHash === zeroHash) return { appData: zeroHash, appDataHash }
  if (fullAppData !== null) return { appData: fullAppData, appDataHash }
  if ((await findDocument(appDataHash)) === undefined) {
    throw new ApiError('InvalidAppData', { description: 'no document has this hash', data: { appDataHash } })
  }
  return { appData: appDataHash, appDataHash }
}

import type { Hex } from 'viem'
import { type PlacementQuote, selectPlacementReferences } from '#schema/queries/chain/selectPlacementReferences.ts'
import { type ParsedAppData, parseAppData } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { IndexingDeps } from '../indexingDeps.ts'
import type { Placement } from './readPlacement.ts'

/** Bounded, because a document has up to 8 KiB. */
const documentsAtOnce = 200

/** Facts that a placement refers to. */
export type References = {
  documents: ReadonlyMap<Hex, ParsedAppData>
  quotes: ReadonlyMap<number, PlacementQuote>
  placedAt: Date
}

/** Finds the documents and quotes that placements name; a document that cannot be parsed counts as unknown. */
export const findReferences = async (
  { network, database }: Pick<IndexingDeps, 'network' | 'database'>,
  placements: readonly Placement[],
): Promise<Omit<References, 'placedAt'>> => {
  const hashes = [...new Set(placements.map(({ order }) => order.appDataHash))]
  const quoteIds = [...new Set(placements.flatMap(({ quoteId }) => quoteId ?? []))]
  const documents = new Map<Hex, ParsedAppData>()
  const quotes = new Map<number, PlacementQuote>()
  for (let i = 0; i < Math.max(hashes.length, quoteIds.length); i += documentsAtOnce) {
    const wanted = { hashes: hashes.slice(i, i + documentsAtOnce), quoteIds: quoteIds.slice(i, i + documentsAtOnce) }
    const found = await selectPlacementReferences(database, network.chainId, wanted)
    for (const [id, quote] of found.quotes) quotes.set(id, quote)
    for (const [hash, document] of found.documents) {
      const appData = readDocument(document)
      if (appData) documents.set(hash, appData)
    }
  }
  return { documents, quotes }
}

const readDocument = (document: string): ParsedAppData | undefined => {
  try {
    return parseAppData(document)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

import type { Batch, Request } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { buildBatch } from './buildBatch.ts'
import { buildSplitBatch } from './buildSplitBatch.ts'

/** `buildBatch`, split over several routes if that is better. */
export const buildBestBatch = (market: BatchMarket, requests: readonly Request[]): Batch | undefined => {
  const single = buildBatch(market, requests)
  return buildSplitBatch(market, requests, single) ?? single
}

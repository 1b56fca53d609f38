import { and, eq, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { parseAppData } from '#shared/appData/parseAppData.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { Database } from '../../client.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { uidList } from '../fragments/uidList.ts'
import {
  type Candidate,
  type CandidateStanding,
  candidateColumns,
  type KnownCandidate,
  quoteColumns,
} from './candidate.ts'

/** The app data document, only when its keys may name a loan or a wrapper; a cut needs nothing from others. */
const fundingDocument = sql<
  string | null
>`case when ${appData.fullAppData} ~ 'flashloan|wrappers|\\\\u' then ${appData.fullAppData} end`

/** Orders of one read, which bounds the response of a cold start. */
const pageSize = 1_000

/** New and changed orders in pages, by UID. */
export const selectCandidateOrders = async (
  database: Database,
  chainId: number,
  wanted: readonly CandidateStanding[],
): Promise<Map<Hex, Pick<KnownCandidate, 'order' | 'quote' | 'version' | 'funding'>>> => {
  const read: Awaited<ReturnType<typeof selectCandidateOrders>> = new Map()
  for (let i = 0; i < wanted.length; i += pageSize) {
    const page = await selectPage(database, chainId, wanted.slice(i, i + pageSize))
    for (const { document, ...row } of page) read.set(row.order.uid, { ...row, funding: toFunding(document) })
  }
  return read
}

const selectPage = (database: Database, chainId: number, wanted: readonly CandidateStanding[]) =>
  database
    .select({ order: candidateColumns, version: orders.version, quote: quoteColumns, document: fundingDocument })
    .from(orders)
    .leftJoin(appData, eq(appData.hash, orders.appDataHash))
    .leftJoin(orderQuotes, and(eq(orderQuotes.chainId, orders.chainId), eq(orderQuotes.orderUid, orders.uid)))
    .where(and(eq(orders.chainId, chainId), sql`${orders.uid} in ${uidList(wanted.map(({ uid }) => uid))}`))

const toFunding = (document: string | null): Candidate['funding'] => {
  if (document === null) return null
  try {
    const { flashloan, wrappers } = parseAppData(document)
    return flashloan || wrappers.length > 0 ? { flashloan, wrappers } : null
  } catch (error) {
    // stored under earlier rules; one such order must not exclude the others
    if (error instanceof ApiError) return null
    throw error
  }
}

import type { DebugFacts, StoredDebugFacts } from '#schema/queries/debug/debugReport.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { ArchivedCompetition } from './archivedCompetition.ts'
import { completeEvents } from './completeEvents.ts'
import { completeQuote } from './completeQuote.ts'
import type { FindArchived } from './connectArchive.ts'

/** Objects read at once; a Worker has six connections. */
const atOnce = 3
/** Newest archived auctions of which a report has the solutions that lost; of older ones it has those that won. */
const maxAuctions = 100
/** Likewise newest objects, each of up to four megabytes that are decompressed: half a second of CPU. */
const maxObjects = 20

/**
 * The report with the order's archived events, the plan of its quote, and the solutions, prices and fee policies of its archived
 * auctions.
 */
export const completeReport = async (
  { order, facts }: { order: StoredOrder; facts: StoredDebugFacts },
  archive: FindArchived,
): Promise<{ order: StoredOrder; facts: DebugFacts }> => {
  const completed = await completeAuctions(order, facts, archive.competitions)
  const parts = [...new Set(facts.events.flatMap(({ archivePart }) => archivePart ?? []))]
  const archived = await mapBounded(parts, atOnce, (part) => archive.events(part, order.uid))
  return {
    order: { ...order, quote: completeQuote(order.quote, archived) },
    facts: { ...completed, events: completeEvents(facts.events, archived) },
  }
}

const completeAuctions = async (
  { uid, sellToken, buyToken }: Pick<StoredOrder, 'uid' | 'sellToken' | 'buyToken'>,
  facts: StoredDebugFacts,
  findArchived: FindArchived['competitions'],
): Promise<StoredDebugFacts> => {
  const archived = facts.auctions.filter(({ archiveKey }) => archiveKey !== null).slice(-maxAuctions)
  if (archived.length === 0) return facts
  const objects = [...Map.groupBy(archived, ({ archiveKey }) => archiveKey ?? '')].slice(-maxObjects)
  const parts = await mapBounded(objects, atOnce, ([key, ofObject]) =>
    findArchived(
      key,
      ofObject.map(({ id }) => id),
    ),
  )
  const found = parts.flat()
  const byId = new Map(found.map((competition) => [competition.id, competition]))
  const stays = ({ auctionId }: { auctionId: number }) => !byId.has(auctionId)
  return {
    ...facts,
    auctions: facts.auctions.map((auction) => {
      const { prices } = byId.get(auction.id) ?? {}
      return prices
        ? { ...auction, sellTokenPrice: prices[sellToken] ?? null, buyTokenPrice: prices[buyToken] ?? null }
        : auction
    }),
    solutions: [...facts.solutions.filter(stays), ...found.flatMap((each) => listSolutions(each, uid))].sort(
      (a, b) => a.auctionId - b.auctionId || a.uid - b.uid,
    ),
    feePolicies: [
      ...facts.feePolicies.filter(stays),
      ...found.flatMap(({ id, feePolicies }) =>
        feePolicies.flatMap(({ orderUid, ...policy }) => (orderUid === uid ? [{ auctionId: id, ...policy }] : [])),
      ),
    ],
  }
}

/** Solutions with the order. */
const listSolutions = ({ id, solutions, orders }: ArchivedCompetition, uid: string): DebugFacts['solutions'] =>
  solutions.flatMap(({ referenceScore: _, ...solution }) => {
    const order = orders.find(({ solutionUid, orderUid }) => solutionUid === solution.uid && orderUid === uid)
    return order
      ? [{ auctionId: id, ...solution, executedSell: order.executedSell, executedBuy: order.executedBuy }]
      : []
  })

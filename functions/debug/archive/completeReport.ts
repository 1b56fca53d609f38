import type { DebugFacts, StoredDebugFacts } from '#schema/queries/debug/debugReport.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { ArchivedCompetition } from './archivedCompetition.ts'
import { completeEvents } from './completeEvents.ts'
import type { FindArchived } from './connectArchive.ts'

/** Objects read at once; a Worker has six connections. */
const atOnce = 3
/** Newest archived auctions of which a report has the solutions that lost; of older ones it has those that won. */
const maxAuctions = 100

type ReportedOrder = Pick<StoredOrder, 'uid' | 'sellToken' | 'buyToken'>

/** The facts with the order's archived events, and the solutions, prices and fee policies of its archived auctions. */
export const completeReport = async (
  order: ReportedOrder,
  facts: StoredDebugFacts,
  archive: FindArchived,
): Promise<DebugFacts> => ({
  ...(await completeAuctions(order, facts, archive.competition)),
  events: await completeEvents(order.uid, facts.events, archive.events),
})

const completeAuctions = async (
  { uid, sellToken, buyToken }: ReportedOrder,
  facts: StoredDebugFacts,
  findArchived: FindArchived['competition'],
): Promise<StoredDebugFacts> => {
  const archived = facts.auctions.flatMap(({ id, archiveKey }) =>
    archiveKey === null ? [] : [{ id, key: archiveKey }],
  )
  if (archived.length === 0) return facts
  const found = await mapBounded(archived.slice(-maxAuctions), atOnce, ({ key, id }) => findArchived(key, id))
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

import type { DebugReport } from '../loading/loadOrder.ts'
import type { Step } from '../timeline/times/timelineFacts.ts'

/** An auction in which solvers proposed to fill the order. `solutions`: their number; null: unknown. */
export type ListedAuction = { id: number; isWon: boolean; solutions: number | null }

/** Longest list; every auction also has its own page. */
export const maxListed = 100

/** Auctions of an order, won ones first, each part newest first. */
export const listAuctions = (report: DebugReport | null, steps: readonly Step[]): ListedAuction[] => {
  const found = new Map<number, ListedAuction>()
  for (const { label, auctionId } of steps) {
    if (typeof auctionId !== 'number' || (label !== 'executing' && label !== 'considered')) continue
    found.set(auctionId, { id: auctionId, isWon: label === 'executing', solutions: null })
  }
  for (const { id, proposedSolutions } of report?.auctions ?? []) {
    const isWon = proposedSolutions.some(({ isWinner }) => isWinner)
    found.set(id, { id, isWon, solutions: proposedSolutions.length })
  }
  return [...found.values()].toSorted((a, b) => Number(b.isWon) - Number(a.isWon) || b.id - a.id).slice(0, maxListed)
}

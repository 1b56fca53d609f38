import type { DebugReport } from '../loading/loadOrder.ts'
import type { Step } from '../timeline/computeTimes.ts'

/** An auction in which solvers proposed to fill the order. `solutions`: how many have it; null: not known. */
export type ListedAuction = { id: number; isWon: boolean; solutions: number | null }

/** Nobody looks for one among more in a list; every auction has a page of its own. */
export const maxListed = 100

/** The auctions of an order to choose from, won ones first, each newest first. */
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

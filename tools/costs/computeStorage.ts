import { storedBytes, usage, type Volume } from './costInputs.ts'

const daysPerYear = 365

/**
 * Gigabytes in the database after the first year.
 * @param isArchived whether competitions move to the archive, after a month
 */
export const computeStorage = ({ ordersPerDay }: Volume, { isArchived }: { isArchived: boolean }): number => {
  const auctions = Math.min(usage.auctionsPerDay, ordersPerDay)
  const wholeDays = isArchived ? usage.archiveDays : daysPerYear
  const competitions = auctions * (wholeDays * bytesOfAuction + (daysPerYear - wholeDays) * storedBytes.archivedAuction)
  const quotes = ordersPerDay * usage.quotesPerOrder * usage.quoteDays * storedBytes.quote
  return (ordersPerDay * daysPerYear * storedBytes.order + competitions + quotes) / 1e9
}

/** Of an auction's competition, until it moves. */
export const bytesOfAuction =
  usage.tokensPerAuction * storedBytes.price + usage.solutionsPerAuction * storedBytes.solution

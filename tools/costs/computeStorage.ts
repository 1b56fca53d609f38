import { storedBytes, usage, type Volume } from './costInputs.ts'

const daysPerYear = 365

export type Removals = {
  /** competitions and events move to the archive, after a month */
  isArchived: boolean
  /** old notifications are deleted */
  areNotificationsDeleted: boolean
}

/** Gigabytes in the database after the first year. */
export const computeStorage = ({ ordersPerDay }: Volume, { isArchived, areNotificationsDeleted }: Removals): number => {
  const auctions = Math.min(usage.auctionsPerDay, ordersPerDay)
  const wholeDays = isArchived ? usage.archiveDays : daysPerYear
  const movedDays = daysPerYear - wholeDays
  const competitions = auctions * (wholeDays * bytesOfAuction + movedDays * storedBytes.archivedAuction)
  const quotes = ordersPerDay * usage.quotesPerOrder * usage.quoteDays * storedBytes.quote
  const orders = ordersPerDay * (daysPerYear * storedBytes.order - movedDays * storedBytes.moved)
  const deletedDays = areNotificationsDeleted ? daysPerYear - usage.notificationDays : 0
  const deleted = ordersPerDay * deletedDays * storedBytes.notifications
  return (orders + competitions + quotes - deleted) / 1e9
}

/** Of an auction's competition, until it moves. */
export const bytesOfAuction =
  usage.tokensPerAuction * storedBytes.price + usage.solutionsPerAuction * storedBytes.solution

import { bytesOfAuction } from './computeStorage.ts'
import { cpuMs, estimatedNetworks, listPrices, nodeUnits, storedBytes, usage, type Volume } from './costInputs.ts'
import { daysPerMonth, payUnits } from './payUnits.ts'
import { secondsPerDay, unitsOfBlocks, unitsOfUse } from './unitsOfUse.ts'

const hoursPerMonth = 730
/** half of what a year stores: the mean over the first year */
const meanDays = 365 / 2

/** Dollars per month, by what is paid for. */
export type Costs = Record<string, number>

/**
 * Costs of a month in the first year, with all networks of the estimate in one account.
 * @param isLocal whether two solvers of the deployment work beside the external ones
 */
export const computeCosts = (
  { ordersPerDay, openOrders, databaseUnits }: Volume,
  { isLocal }: { isLocal: boolean },
): Costs => {
  const quotes = ordersPerDay * usage.quotesPerOrder
  const reads = usage.readsPerDay
  const liveReads = reads * (1 - usage.cachedShare)
  const auctions = Math.min(usage.auctionsPerDay, ordersPerDay)
  const ticks = estimatedNetworks.length * secondsPerDay
  const objects = estimatedNetworks.length + usage.streams
  const alarms = objects * secondsPerDay

  const requests = reads + quotes + ordersPerDay
  const cpu =
    liveReads * cpuMs.read +
    quotes * cpuMs.quote +
    ordersPerDay * cpuMs.order +
    auctions * cpuMs.round +
    ticks * cpuMs.tick
  const solverSeconds = auctions * (usage.solvers * usage.solveSeconds + usage.settleSeconds)
  const objectSeconds = (objects * secondsPerDay + solverSeconds) * usage.objectGb
  const objectRequests = alarms + auctions * (usage.solvers + 1)
  const stored = ordersPerDay * storedBytes.order + auctions * bytesOfAuction
  const egress = liveReads * storedBytes.read + auctions * openOrders * storedBytes.openOrder
  const history = (stored + quotes * storedBytes.quote) * usage.historyDays

  return {
    plan: listPrices.plan,
    'requests of Workers': payMonth(listPrices.requests, requests),
    'processor time': payMonth(listPrices.cpuMs, cpu),
    'Durable Objects':
      payMonth(listPrices.objectRequests, objectRequests) +
      payMonth(listPrices.objectGbSeconds, objectSeconds) +
      payMonth(listPrices.objectRowsWritten, alarms),
    logs: payMonth(listPrices.logLines, usage.logShare * (liveReads + quotes + ordersPerDay) + ticks + auctions),
    // written, read and acknowledged
    queues: payMonth(listPrices.queueOperations, 3 * ordersPerDay),
    'database: compute': databaseUnits * hoursPerMonth * listPrices.databaseUnitHour,
    'database: storage':
      toGb(stored * meanDays + quotes * storedBytes.quote * usage.quoteDays) * listPrices.databaseGb +
      toGb(history) * listPrices.databaseHistoryGb,
    'database: traffic':
      Math.max(0, toGb(egress * daysPerMonth) - listPrices.databaseEgressGb.included) *
      listPrices.databaseEgressGb.each,
    'nodes: blocks': payUnits(unitsOfBlocks),
    'nodes: quotes, orders, auctions': payUnits(unitsOfUse(ordersPerDay, auctions), unitsOfBlocks),
    ...(isLocal
      ? {
          'nodes: local solvers': payUnits(
            quotes * usage.localOffersPerQuote * usage.callsPerLocalOffer * nodeUnits.eth_call,
            unitsOfBlocks + unitsOfUse(ordersPerDay, auctions),
          ),
        }
      : {}),
  }
}

type Price = { included: number; perMillion: number }

const payMonth = ({ included, perMillion }: Price, perDay: number): number =>
  (Math.max(0, perDay * daysPerMonth - included) / 1e6) * perMillion

const toGb = (value: number): number => value / 1e9

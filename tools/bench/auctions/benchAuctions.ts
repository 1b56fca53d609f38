import { type Report, toReport } from '../figure.ts'
import { startMarket } from './startMarket.ts'
import { requestTick, startTickProcess, toTickFigures } from './tickProcesses.ts'

const sizes = [1_000, 5_000, 20_000]
/** The budget: one tick with 5,000 open orders, 100 of them changed */
const budgetSize = 5_000
const changes = 100
const budget = { cpuMs: 1_000, memoryMiB: 100 }

/**
 * Ticks of the auction clock over many open orders: the first tick of a new clock, one for a block without changes, one
 * with a hundred changes. Each market ticks in its own process, whose heap is limited up to the size of the budget.
 */
export const benchAuctions = async (report: (report: Report) => void): Promise<void> => {
  for (const size of sizes) {
    const market = await startMarket()
    const ticks = startTickProcess(market, size > budgetSize ? [] : [`--max-old-space-size=${budget.memoryMiB}`])
    try {
      await market.place(size)
      const first = await requestTick(ticks)
      await market.mine()
      await requestTick(ticks)
      await market.mine()
      const quiet = await requestTick(ticks)
      await market.change(changes)
      const changed = await requestTick(ticks)
      const orders = `${size.toLocaleString('en')} open orders`
      report(toReport(`${orders}: first tick of a new clock`, toTickFigures(first)))
      report(toReport(`${orders}: nothing changed`, toTickFigures(quiet)))
      report(
        toReport(`${orders}: ${changes} changed`, toTickFigures(changed, size === budgetSize ? budget : undefined)),
      )
    } finally {
      ticks.kill()
      await market.stop()
    }
  }
}

import { type Report, toReport } from '../figure.ts'
import { startMarket } from './startMarket.ts'
import { requestTick, startTickProcess, type TickBudget, toTickFigures } from './tickProcesses.ts'

const size = 5_000
const changes = 100
const budget: TickBudget = { cpuMs: 1_000, memoryMiB: 100 }

/**
 * Ticks of the auction clock over 5,000 open orders, in a process with a limited heap: the first tick of a new clock, one
 * for a block without changes, one with a hundred changes.
 */
export const benchAuctions = async (report: (report: Report) => void): Promise<void> => {
  const market = await startMarket()
  const ticks = startTickProcess(market, [`--max-old-space-size=${budget.memoryMiB}`])
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
    report(toReport(`${orders}: ${changes} changed`, toTickFigures(changed, budget)))
  } finally {
    ticks.kill()
    await market.stop()
  }
}

import type { Report } from '../figure.ts'
import { listMarketScenarios } from './marketScenarios.ts'
import type { MarketOutcome } from './readOutcome.ts'
import { runScenario } from './runScenario.ts'
import { startMarketStack } from './startMarketStack.ts'
import { toMarketTable } from './toMarketTable.ts'

/** block time of Gnosis Chain */
const blockSeconds = 5
/** seconds; until a scenario starts, blocks are mined by transactions only */
const longBlockTime = 3_600

/**
 * Trades orders beside other traders, with blocks of five seconds: how many are filled, how soon, at which price and
 * cost. The table of docs/solvers.md.
 */
export const benchMarket = async ({ quick }: { quick: boolean }, report: (report: Report) => void): Promise<void> => {
  const market = await startMarketStack({ blockTime: longBlockTime })
  const outcomes: [string, MarketOutcome][] = []
  try {
    for (const scenario of listMarketScenarios(quick ? 4 : 20)) {
      outcomes.push([scenario.name, await runScenario({ ...market, blockSeconds }, scenario)])
      console.log(toMarketTable(outcomes.slice(-1)).split('\n').at(-1))
    }
  } finally {
    if (outcomes.length > 0) report({ table: toMarketTable(outcomes), over: [] })
    await market.stop()
  }
}

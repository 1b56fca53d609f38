import { defaultHarshOptions, type HarshOptions } from '../../stack/chain/harsh/harshOptions.ts'
import type { Report } from '../figure.ts'
import { startMarketStack } from '../market/startMarketStack.ts'
import { type LatencyOutcome, toLatencyReport } from './latencyFigures.ts'
import { measureLatency } from './measureLatency.ts'

/**
 * As `npm start` has them: a block for each transaction; and blocks of five seconds, other traders and a node with
 * faults.
 */
const chains: readonly { name: string; harsh?: HarshOptions; paceMs: number }[] = [
  { name: 'kind chain', paceMs: 1_000 },
  { name: 'harsh chain', harsh: defaultHarshOptions, paceMs: 2_500 },
]

/** How long users wait for a quote, a submission and a fill, and for a quote beside 99 other clients. */
export const benchLatency = async ({ quick }: { quick: boolean }, report: (report: Report) => void): Promise<void> => {
  const outcomes: [string, LatencyOutcome][] = []
  for (const { name, harsh, paceMs } of chains) {
    const market = await startMarketStack(harsh ? { harsh } : {})
    try {
      const plan = { orders: quick ? 10 : 40, paceMs, crowdSeconds: quick ? 5 : 20 }
      outcomes.push([name, await measureLatency(market, plan)])
    } finally {
      await market.stop()
    }
  }
  report(toLatencyReport(outcomes))
}

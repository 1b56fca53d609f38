import type { Database } from '#schema/client.ts'
import {
  insertCarriedSamples,
  selectNewestSample,
  selectSamplesToCarry,
} from '#schema/queries/affiliate/carriedSamples.ts'
import { insertCarriedTrades, selectTradesToCarry } from '#schema/queries/affiliate/carriedTrades.ts'
import { markTradesCarried } from '#schema/queries/affiliate/tradeCarries.ts'

/** Trades and samples of one batch. */
const atOnce = { trades: 500, samples: 2_000 }
/** Maximum batches; the next call continues. */
const maxRounds = 10

/**
 * Copies what the affiliate statistics need of a network with its own database: trades with a code, first trades of traders, and
 * prices of the native token. Idempotent and safe to run concurrently.
 * @throws errors of both databases
 */
export const carryTrades = async (
  from: Database,
  to: Database,
  chainId: number,
  sizes: typeof atOnce = atOnce,
): Promise<void> => {
  // samples first: a sum needs those around its trades
  for (let round = 0; round < maxRounds; round++) {
    const after = await selectNewestSample(to, chainId)
    const { samples, count } = await selectSamplesToCarry(from, chainId, { after, limit: sizes.samples })
    if (count > 0) await insertCarriedSamples(to, chainId, samples)
    if (count < sizes.samples) break
  }
  for (let round = 0; round < maxRounds; round++) {
    const part = await selectTradesToCarry(from, chainId, sizes.trades)
    await insertCarriedTrades(to, chainId, part)
    await markTradesCarried(from, chainId, part)
    if (part.isLast) break
  }
}

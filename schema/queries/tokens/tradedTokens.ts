import { and, desc, eq, gt, isNull, not } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'

const maxTrades = 2_000
const maxPairs = 1_000

/**
 * Traded tokens: those of the newest trades first, then those of open orders. A buy token may be the sentinel of the
 * native token.
 * @param now Unix seconds
 */
export const selectTradedTokens = async (database: Database, chainId: number, now: number): Promise<Address[]> => {
  const [traded, open] = await database.batch([
    database
      .select({ sellToken: trades.sellToken, buyToken: trades.buyToken })
      .from(trades)
      .where(eq(trades.chainId, chainId))
      .orderBy(desc(trades.blockNumber), desc(trades.logIndex))
      .limit(maxTrades),
    database
      .selectDistinct({ sellToken: orders.sellToken, buyToken: orders.buyToken })
      .from(orders)
      .where(
        and(
          eq(orders.chainId, chainId),
          isNull(orders.cancelledAt),
          not(orders.invalidated),
          gt(lastValidSecond, now),
          isUnfilled,
        ),
      )
      // a stable order, so that no series has holes
      .orderBy(orders.sellToken, orders.buyToken)
      .limit(maxPairs),
  ])
  return [...new Set([...traded, ...open].flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]))]
}

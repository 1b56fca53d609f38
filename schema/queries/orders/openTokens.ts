import { and, desc, eq, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isOrderOfTopic } from '../events/logTopic.ts'
import { isListedOpen } from '../fragments/isListedOpen.ts'

/** Newest open orders of an account that are read. */
const maxOrders = 100

/**
 * Tokens of the newest 100 open orders of each account.
 * @param accounts without duplicates
 * @returns may have duplicates
 */
export const selectOpenTokens = async (
  database: Database,
  chainId: number,
  accounts: readonly Address[],
): Promise<{ account: Address; token: Address }[]> => {
  const ofAccount = (account: Address) =>
    database
      .select({ account: sql<Address>`${account}::text`.as('account'), sell: orders.sellToken, buy: orders.buyToken })
      .from(orders)
      .where(and(eq(orders.chainId, chainId), isListedOpen, isOrderOfTopic({ account })))
      .orderBy(desc(orders.createdAt))
      .limit(maxOrders)
  const [first, second, ...others] = accounts.map(ofAccount)
  if (!first) return []
  const rows = await (second ? unionAll(first, second, ...others) : first)
  return rows.flatMap(({ account, sell, buy }) => [
    { account, token: sell },
    { account, token: buy },
  ])
}

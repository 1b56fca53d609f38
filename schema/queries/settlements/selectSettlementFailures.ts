import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'

/** The account of an order: its owner, or the on-chain user of the contract that placed it. */
const account = sql<Address>`coalesce(${orders.onchainUser}, ${orders.owner})`

const accountOf = (chainId: number, uid: Hex): SQL => sql`(select coalesce(o.onchain_user, o.owner) from ${orders} o
  where o.chain_id = ${chainId} and o.uid = ${sql.param(uid, orders.uid)})`

/**
 * Failures of all orders of a chain, or of the account of one order. Those of an account are read by an index; a row without a
 * stored account is compared by its order.
 */
export const selectSettlementFailures = (database: Database, chainId: number, uid?: Hex) =>
  database
    .select({
      orderUid: settlementFailures.orderUid,
      account: account.mapWith(orders.owner),
      solver: settlementFailures.solver,
      failures: settlementFailures.failures,
      reverts: settlementFailures.reverts,
      lastOutcome: settlementFailures.lastOutcome,
      lastBlock: settlementFailures.lastBlock,
      lastRevertBlock: settlementFailures.lastRevertBlock,
    })
    .from(settlementFailures)
    .innerJoin(orders, and(eq(orders.chainId, settlementFailures.chainId), eq(orders.uid, settlementFailures.orderUid)))
    .where(
      and(
        eq(settlementFailures.chainId, chainId),
        uid &&
          sql`${account} = ${accountOf(chainId, uid)}
            and (${settlementFailures.account} = ${accountOf(chainId, uid)} or ${settlementFailures.account} is null)`,
      ),
    )
    .orderBy(settlementFailures.orderUid, settlementFailures.solver)

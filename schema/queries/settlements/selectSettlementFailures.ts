import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'

/** Failed settlements since the last fill of all orders of a chain, or of one. */
export const selectSettlementFailures = (database: Database, chainId: number, uid?: Hex) =>
  database
    .select({
      orderUid: settlementFailures.orderUid,
      solver: settlementFailures.solver,
      failures: settlementFailures.failures,
      reverts: settlementFailures.reverts,
      faults: settlementFailures.faults,
      lastOutcome: settlementFailures.lastOutcome,
      lastBlock: settlementFailures.lastBlock,
      lastRevertBlock: settlementFailures.lastRevertBlock,
    })
    .from(settlementFailures)
    .where(and(eq(settlementFailures.chainId, chainId), uid && eq(settlementFailures.orderUid, uid)))
    .orderBy(settlementFailures.orderUid, settlementFailures.solver)

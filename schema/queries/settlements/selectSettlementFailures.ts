import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'

/** The account of an order: its owner, or the on-chain user of the contract that placed it. */
const account = sql<Address>`coalesce(${orders.onchainUser}, ${orders.owner})`

const accountOf = (chainId: number, uid: Hex): SQL => sql`(select coalesce(o.onchain_user, o.owner) from ${orders} o
  where o.chain_id = ${chainId} and o.uid = ${sql.param(uid, orders.uid)})`

/** Newest ended attempts of a solver in which a success is searched. */
const examinedAttempts = 100

/** Those of some solvers that settled one of their newest wins, as a subquery; its cost is bounded for any history. */
const settlingAmong = (chainId: number, solvers: SQL): SQL => sql`(
  select reporter.solver from (select distinct solver from ${solvers}) as reporter
  where exists (
    select from (
      select outcome from ${settlementAttempts} as attempt
      where attempt.chain_id = ${chainId} and attempt.solver = reporter.solver and attempt.outcome is not null
      order by attempt.auction_id desc, attempt.solution_uid limit ${examinedAttempts}) as newest
    where newest.outcome = 'success'))`

/**
 * Failures of all orders of a chain, or of the account of one order. Those of an account are read by an index.
 * `hasSettled`: whether the solver settled one of its newest wins.
 */
export const selectSettlementFailures = (database: Database, chainId: number, uid?: Hex) => {
  const failing = database.$with('failing').as(
    database
      .select({
        orderUid: settlementFailures.orderUid,
        account: account.mapWith(orders.owner).as('failing_account'),
        solver: settlementFailures.solver,
        failures: settlementFailures.failures,
        reverts: settlementFailures.reverts,
        lastOutcome: settlementFailures.lastOutcome,
        lastBlock: settlementFailures.lastBlock,
        lastRevertBlock: settlementFailures.lastRevertBlock,
      })
      .from(settlementFailures)
      .innerJoin(
        orders,
        and(eq(orders.chainId, settlementFailures.chainId), eq(orders.uid, settlementFailures.orderUid)),
      )
      .where(
        and(
          eq(settlementFailures.chainId, chainId),
          uid &&
            sql`${account} = ${accountOf(chainId, uid)} and ${settlementFailures.account} = ${accountOf(chainId, uid)}`,
        ),
      ),
  )
  return database
    .with(failing)
    .select({
      orderUid: failing.orderUid,
      account: failing.account,
      solver: failing.solver,
      failures: failing.failures,
      reverts: failing.reverts,
      lastOutcome: failing.lastOutcome,
      lastBlock: failing.lastBlock,
      lastRevertBlock: failing.lastRevertBlock,
      hasSettled: sql<boolean>`${failing.solver} in ${settlingAmong(chainId, sql`failing`)}`,
    })
    .from(failing)
    .orderBy(failing.orderUid, failing.solver)
}

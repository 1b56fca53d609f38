import type { Address, Hex } from 'viem'
import type { selectSettlementFailures } from './selectSettlementFailures.ts'

type SettlementFailure = Awaited<ReturnType<typeof selectSettlementFailures>>[number]
type FailingOrder = { uid: Hex; owner: Address; onchainUser: Address | null }

/** Failed settlements since the last fill, which delay an order or exclude a solver from it. */
export type OrderFailures = {
  /** settlements that reverted or failed in simulation, over all solvers; they delay the order */
  failures: number
  /** block of the newest of them, and of the order's own; 0 without one */
  lastBlock: number
  /** `failures` are those of other orders of its account */
  ofAccount: boolean
  /**
   * all failures of each solver with the order; silence and mismatches concern the solver alone and do not delay the
   * order
   */
  bySolver: ReadonlyMap<Address, Omit<SettlementFailure, 'orderUid' | 'solver' | 'account' | 'hasSettled'>>
}

/** One failing order of an account does not delay its other orders. */
const minFailingOrders = 2
/** One solver that reports failures does not delay an account, and one that never settles does not count. */
const minFailingSolvers = 2

/**
 * Failures that count for an order: its own, or those of the account's other orders when these are more. An account
 * whose orders fail in succession thus waits as long as a single order with as many failures, so replacing a failed
 * order gains nothing. Orders that fail in the same block, for example in one settlement, count once. Failures of other
 * orders count when at least two solvers reported them, since a single solver may lie, and only those of solvers that
 * settled one of their newest wins: others can win orders that no solver can settle.
 */
export const groupFailures = (rows: readonly SettlementFailure[]): ((order: FailingOrder) => OrderFailures | null) => {
  const byOrder = Map.groupBy(rows, ({ orderUid }) => orderUid)
  const byAccount = Map.groupBy(
    rows.filter(({ reverts, hasSettled }) => reverts > 0 && hasSettled),
    ({ account }) => account,
  )
  return ({ uid, owner, onchainUser }) => {
    const own = byOrder.get(uid) ?? []
    const others = (byAccount.get(onchainUser ?? owner) ?? []).filter(({ orderUid }) => orderUid !== uid)
    const failures = own.reduce((sum, { reverts }) => sum + reverts, 0)
    const ofOthers = new Set(others.map(({ lastRevertBlock }) => lastRevertBlock)).size
    const reporters = new Set(others.map(({ solver }) => solver)).size
    const ofAccount = ofOthers >= minFailingOrders && reporters >= minFailingSolvers && ofOthers > failures
    if (own.length === 0 && !ofAccount) return null
    // an own failure may be the newest of the account
    const counted = ofAccount ? [...own, ...others] : own
    return {
      failures: ofAccount ? ofOthers : failures,
      lastBlock: Math.max(0, ...counted.map(({ lastRevertBlock }) => lastRevertBlock ?? 0)),
      ofAccount,
      bySolver: new Map(
        own.map(({ orderUid: _, account: _account, hasSettled: _hasSettled, solver, ...failure }) => [solver, failure]),
      ),
    }
  }
}

import type { Address, Hex } from 'viem'
import type { selectSettlementFailures } from './selectSettlementFailures.ts'

type SettlementFailure = Awaited<ReturnType<typeof selectSettlementFailures>>[number]

/** Failed settlements since the last fill, which delay an order, separate it from others, or exclude a solver from it. */
export type OrderFailures = {
  /** settlements that failed because of the order, over all solvers; they delay it */
  failures: number
  /** block of the newest of them; 0 without one */
  lastBlock: number
  /** all failures of each solver with the order, of any cause */
  bySolver: ReadonlyMap<Address, Omit<SettlementFailure, 'orderUid' | 'solver'>>
}

/** @returns finds the failures of an order; null without any */
export const groupFailures = (rows: readonly SettlementFailure[]): ((order: { uid: Hex }) => OrderFailures | null) => {
  const byOrder = Map.groupBy(rows, ({ orderUid }) => orderUid)
  return ({ uid }) => {
    const own = byOrder.get(uid)
    if (!own) return null
    return {
      failures: own.reduce((sum, { reverts }) => sum + reverts, 0),
      lastBlock: Math.max(0, ...own.map(({ lastRevertBlock }) => lastRevertBlock ?? 0)),
      bySolver: new Map(own.map(({ orderUid: _, solver, ...failure }) => [solver, failure])),
    }
  }
}

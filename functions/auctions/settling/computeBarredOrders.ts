import type { Address, Hex } from 'viem'
import { maxBackOffBlocks } from '#shared/orders/computeNextSettlementBlock.ts'

/** Failed wins of one order by one solver since the order's last fill. */
export type SolverFailure = { orderUid: Hex; solver: Address; failures: number; lastBlock: number }

/** Maximum duration of a bar, as a multiple of the first. */
const maxFactor = 1_024

/**
 * Orders from which a solver is currently barred, each with the number of its failed wins: its solutions with one of
 * them rank after those of other solvers on the same pairs. Of several barred solvers, one with fewer failed wins of
 * the order ranks first, and of equal ones a proven one (`toBarredRank`). Each failed win of an order doubles the bar:
 *     bar = h · 2^(failures − 1), at most h · 1024, from the block of the failure;  h = deadline blocks + 1 + maxBackOffBlocks
 * h is the maximum time for which one failed win blocks an order: until the deadline, plus its back-off.
 *
 * Bound: let B of S solvers fail everything they win, and let an honest solver have a solution for each of the M orders
 * on a directed pair in every auction, with at least one auction per block. A failing solver is unproven, so it has u
 * blocks to settle (two fifths of the deadline, at least 2), and ranks last on orders that failed before. Each of the B
 * solvers blocks an order at most once before its bar ends, and reported failures add back-offs of 1, 2, 4, … blocks.
 * So every honest order is filled within
 *     N = B · (u + 1) + min(2^B − 1, B · maxBackOffBlocks) + (S + 1) · M blocks:
 * failed wins of the order, then auctions lost to other orders on its pair.
 *
 * Where pools move, honest solvers revert, too. If they fail an order r times in all, each of the B solvers
 * blocks it at most 2 · r + 1 times: once while it is not barred, r times while it has no more failed wins of the order
 * than the honest solver, and r times because its bar ends before that of the honest one. So with F = B · (2 · r + 1) + r
 *     N = F · (u + 1) + min(2^F − 1, F · maxBackOffBlocks) + (F + S + 1) · M blocks.
 *
 * A reorganisation can make honest solvers fail, so that they are barred and unproven again. With R reorganisations the
 * bound follows from bars alone. A bad solver can win an order for the (k + 1)-th time only after bars of (2^k − 1) · h
 * blocks, during which only failures of the B − 1 others block the order. With n the largest integer for which 2^(n −
 * 1) − 1 ≤ (B − 1) · n (1 for B = 1, 3 for B = 2):
 *     N = B · n · h + (S · n + 1) · M + R · (h + blocksUntilOpen) blocks.
 * Failures other than reverts have no back-off: then h is deadline blocks + 1. An account whose orders revert
 * repeatedly waits as a whole (`groupFailures`): for its orders the first term counts the failed wins of all of them.
 */
export const computeBarredOrders = (
  failures: readonly SolverFailure[],
  { solver, block, deadlineBlocks }: { solver: Address; block: number; deadlineBlocks: number },
): ReadonlyMap<Hex, number> =>
  new Map(
    failures.flatMap(({ orderUid, ...failed }) => {
      if (failed.solver !== solver) return []
      const factor = Math.min(2 ** (failed.failures - 1), maxFactor)
      const end = failed.lastBlock + factor * (deadlineBlocks + 1 + maxBackOffBlocks)
      return block < end ? [[orderUid, failed.failures] as const] : []
    }),
  )

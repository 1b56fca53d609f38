import type { Address, Hex } from 'viem'
import { maxBackOffBlocks } from '#shared/orders/computeNextSettlementBlock.ts'

/** Failed wins of one order by one solver since the order's last fill. */
export type SolverFailure = { orderUid: Hex; solver: Address; failures: number; lastBlock: number }

/** The longest bar, in multiples of the first. */
const maxFactor = 1_024

/**
 * Orders from which a solver is barred now: its solutions with one of them give way to those of other solvers on the same
 * pairs. After each failed win of an order the bar is twice as long as before:
 *     bar = h · 2^(failures − 1), at most h · 1024, from the block of the failure;  h = deadline blocks + 1 + maxBackOffBlocks
 * h is the longest time for which one failed win holds an order: until the deadline, then its back-off.
 *
 * Bound: let B of S solvers fail whatever they win, and let an honest solver have a solution for each of the M orders on a directed
 * pair in every auction, at least one auction in a block. A solver that fails is unproven, so it has u blocks to settle, at
 * least 2 and two fifths of the deadline otherwise, and gives way on orders that have failed. Each of the B holds an order once at
 * most before its bar ends, and reports of failures add back-offs of 1, 2, 4, … blocks. So every honest order is filled within
 *     N = B · (u + 1) + min(2^B − 1, B · maxBackOffBlocks) + (S + 1) · M blocks:
 * failed wins of the order, then auctions that it lost to other orders on its pair.
 *
 * A reorganisation can make honest solvers fail, be barred and be unproven again. With R of them the bound is that of bars alone. A
 * bad solver can win an order for the (k + 1)-th time only after bars of (2^k − 1) · h blocks, in which only failures of the
 * B − 1 others hold the order. With n the largest integer for which 2^(n − 1) − 1 ≤ (B − 1) · n (1 for B = 1, 3 for B = 2):
 *     N = B · n · h + (S · n + 1) · M + R · (h + blocksUntilOpen) blocks.
 * A failure that is no revert has no back-off: then h is deadline blocks + 1. An account whose orders revert one after the other
 * waits as a whole (`groupFailures`): for its orders the first term counts the failed wins of all of them.
 */
export const computeBarredOrders = (
  failures: readonly SolverFailure[],
  { solver, block, deadlineBlocks }: { solver: Address; block: number; deadlineBlocks: number },
): ReadonlySet<Hex> =>
  new Set(
    failures.flatMap(({ orderUid, ...failed }) => {
      if (failed.solver !== solver) return []
      const factor = Math.min(2 ** (failed.failures - 1), maxFactor)
      return block < failed.lastBlock + factor * (deadlineBlocks + 1 + maxBackOffBlocks) ? [orderUid] : []
    }),
  )

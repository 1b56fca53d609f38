/** Maximum number of blocks that an order waits after a failed settlement. */
export const maxBackOffBlocks = 64

/**
 * First block in which an order may enter an auction again after its settlement reverted: 1, 2, 4, … blocks after the
 * newest failure, at most `maxBackOffBlocks`. Within B blocks an order thus costs solvers at most log₂(B) + B / 64 + 2
 * attempts, and a solver that falsely reports a failure delays an order by at most 64 blocks per report.
 * @param failures since the order's last fill, at least 1
 * @param lastBlock block of the newest of them
 */
export const computeNextSettlementBlock = (failures: number, lastBlock: number): number =>
  lastBlock + Math.min(2 ** (failures - 1), maxBackOffBlocks)

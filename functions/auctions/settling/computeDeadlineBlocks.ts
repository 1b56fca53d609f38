/** Without a setting a winner has this many block times to settle, but at least `leastSeconds`. */
const defaultBlockTimes = 5
const leastSeconds = 15
/** the block being built when the solver receives the request is lost */
const leastBlocks = 2

/**
 * Number of blocks in which a winner must settle: 5 on mainnet and Gnosis Chain, 8 on Base, 60 on Arbitrum One.
 * @param seconds of the setting; undefined: five block times, at least 15 s
 */
export const computeDeadlineBlocks = (
  network: { blockTimeSeconds: number },
  seconds = Math.max(defaultBlockTimes * network.blockTimeSeconds, leastSeconds),
): number => Math.max(leastBlocks, Math.ceil(seconds / network.blockTimeSeconds))

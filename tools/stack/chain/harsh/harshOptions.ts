/** Other trader of the local chain, who swaps on the pools that the solvers use. */
export type Competitor = {
  /** value of each swap in US dollars, at the first prices of the pools */
  dollars: number
  /** blocks from one swap to the next, at least and at most */
  everyBlocks: readonly [number, number]
  /** priority fee; above `ordinaryTipGwei` its swaps come first in their block, otherwise last */
  tipGwei: number
  /**
   * whether each swap sells the first token of its pool, against settlements that sell it too; otherwise one of both
   */
  isOneSided?: boolean
}

/** Faults of a node behind a load balancer. */
export type NodeFaults = {
  /** each request meets a backend that is up to so many blocks behind */
  maxLagBlocks: number
  /** mean time of a response; each takes between half of it and one and a half times */
  latencyMs: number
  /** share of requests that are refused with 429 */
  limitedShare: number
  missingMethods: readonly string[]
}

/** A local chain that resembles a busy public one. The same seed gives the same choices, block for block. */
export type HarshOptions = {
  seed: number
  /** seconds between two blocks, any fraction; undefined: the network's block time in a stack, else by `mine` only */
  blockSeconds?: number | undefined
  competitors: readonly Competitor[]
  /** whether base fees move by up to an eighth per block (EIP-1559), otherwise as empty as the blocks are */
  swingsBaseFee: boolean
  /** of the node that Workers use; undefined: none */
  node?: NodeFaults
}

/** Tip of plain transfers, one in each block, which therefore is the tip that nodes suggest. */
export const ordinaryTipGwei = 1

/**
 * A chain of `npm start -- --chain harsh`: one swap of $3 in each block ahead of settlements, and one of $30 in every
 * second or third block.
 */
export const defaultHarshOptions = {
  seed: 1,
  competitors: [
    { dollars: 3, everyBlocks: [1, 1], tipGwei: 3 },
    { dollars: 30, everyBlocks: [2, 3], tipGwei: 2 },
  ],
  swingsBaseFee: true,
  node: {
    maxLagBlocks: 3,
    latencyMs: 100,
    limitedShare: 0.002,
    missingMethods: ['eth_getBlockReceipts', 'eth_simulateV1', 'debug_traceTransaction', 'debug_traceCall'],
  },
} as const satisfies HarshOptions

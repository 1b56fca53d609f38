/**
 * State of the chain that is read: after a block, or after the node's pending transactions; the newest block by
 * default.
 */
export type ReadAt = { blockNumber: bigint } | { blockTag: 'pending' } | Record<string, never>

/**
 * Of calls that read pools: the batch size in bytes of calldata per `eth_call` is one to two thousand small reads, some
 * millions of gas, below every node's limit.
 */
export const multicallOptions = { allowFailure: false, batchSize: 68_000 } as const

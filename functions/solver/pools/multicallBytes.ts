/** bytes of calldata per `eth_call`: one to two thousand small reads, some millions of gas, below every node's limit */
export const multicallBytes = 68_000

/** bytes of calldata per `eth_call`: one or two thousand small reads, some millions of gas, below every node's limit */
export const multicallBytes = 68_000

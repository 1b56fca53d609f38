import { findNetworkOf, type Network } from '../networks.ts'

/** Blocks behind the head; of a chain that is in no entry, those of an entry without `finality`. */
export const findFinality = (chainId: number): Network['finality'] =>
  findNetworkOf(chainId)?.finality ?? { safeBlocks: 32, finalBlocks: 96 }

/**
 * The newest blocks that rarely and that never are replaced, as `safe` and `finalized` of JSON-RPC: so many blocks behind
 * the head as the network's entry says, without a request to a node. Block 0 on a shorter chain.
 */
export const computeFinality = (chainId: number, head: number): { safeBlock: number; finalizedBlock: number } => {
  const { safeBlocks, finalBlocks } = findFinality(chainId)
  return { safeBlock: Math.max(0, head - safeBlocks), finalizedBlock: Math.max(0, head - finalBlocks) }
}

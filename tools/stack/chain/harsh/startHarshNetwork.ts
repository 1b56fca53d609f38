import { createRandom } from '../../createRandom.ts'
import type { UndoStep } from '../../processes/undoStep.ts'
import type { LocalNetwork } from '../../startNetwork.ts'
import { startBadNode } from '../badNode.ts'
import { createNodeFaults } from './createNodeFaults.ts'
import type { HarshOptions } from './harshOptions.ts'
import { startHarshChain } from './startHarshChain.ts'

/**
 * Starts blocks at an interval and competing traders on a network of the stack.
 * @param undo receives what ends its mining
 */
export const startHarshNetwork = async (
  { anvil, network, prepared }: LocalNetwork,
  options: HarshOptions,
  log: (line: string) => void,
  undo: UndoStep[],
): Promise<void> => {
  const onError = (error: unknown) => log(`[chain] ${error instanceof Error ? error.message : error}`)
  const blockSeconds = options.blockSeconds ?? network.blockTimeSeconds
  const { stop } = await startHarshChain(anvil.chain, prepared, { ...options, blockSeconds, onError })
  undo.push(stop)
  log(`chain: harsh, a block every ${blockSeconds} s, seed ${options.seed}`)
}

/** URL of the node that Workers use: the chain itself, or one with faults in front of it. */
export const startHarshNode = async (
  rpcUrl: string,
  harsh: HarshOptions | undefined,
  undo: UndoStep[],
): Promise<string> => {
  if (!harsh?.node) return rpcUrl
  const node = await startBadNode(rpcUrl)
  undo.push(node.close)
  node.interfere(createNodeFaults(harsh.node, createRandom(harsh.seed)))
  return node.url
}

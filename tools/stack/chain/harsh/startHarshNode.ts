import { createRandom } from '../../createRandom.ts'
import type { UndoStep } from '../../processes/undoStep.ts'
import { startBadNode } from '../badNode.ts'
import { createNodeFaults } from './createNodeFaults.ts'
import type { HarshOptions } from './harshOptions.ts'

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

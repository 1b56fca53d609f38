import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import { findBlock } from '../chain/findBlock.ts'
import { NodeError } from '../chain/NodeError.ts'
import type { FindHeader } from './chain/createHeaderFinder.ts'
import type { IndexingDeps } from './indexingDeps.ts'

/**
 * Checks that enough nodes have another chain than the replaced blocks.
 * @throws NodeError when fewer than half confirm it, or as many contradict
 */
export const checkAgreement = async (
  nodes: IndexingDeps['nodes'],
  replaced: readonly IndexedBlock[],
  findHeader: FindHeader,
): Promise<void> => {
  const [first] = replaced
  if (!first || nodes.length < 2) return
  const { hash } = await findHeader(first.number)
  const answers = await Promise.allSettled(nodes.map((node) => findBlock(node, first.number)))
  const hashes = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.hash] : []))
  const agreeing = hashes.filter((found) => found === hash).length
  const contradicting = hashes.length - agreeing
  if (agreeing <= contradicting || 2 * agreeing < nodes.length)
    throw new NodeError(
      `${agreeing} of ${nodes.length} nodes of RPC_URL confirm that the indexed block ${first.number} was replaced by` +
        ` ${hash}, ${contradicting} contradict: nothing is undone until at least half of all confirm, and more than contradict`,
    )
}

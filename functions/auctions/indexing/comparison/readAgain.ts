import { type IndexedBlock, selectBlocks, storedBlocks } from '#schema/queries/chain/blocks.ts'
import { updateChain } from '#schema/queries/chain/updateChain.ts'
import { deleteAccountSurplusFrom } from '#schema/queries/settlements/accountSurplus.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { findBlock } from '../../chain/findBlock.ts'
import { NodeError } from '../../chain/NodeError.ts'
import { attributeSettlements } from '../attribution/attributeSettlements.ts'
import { createHeaderFinder } from '../chain/createHeaderFinder.ts'
import { findChainEvents } from '../findChainEvents.ts'
import type { IndexingDeps } from '../indexingDeps.ts'
import { findPlacedOrders } from '../placements/findPlacedOrders.ts'

/** Blocks read again on each side: a node that left out one block's logs may have left out its neighbours'. */
const neighbours = storedBlocks / 2 - 1

/**
 * Reads an indexed block and its neighbours again, from one node, and adds the events that the index lacks. It removes
 * none, and the cursor stays.
 * @param head the newest indexed block
 * @throws NodeError when the node is on another chain than the index; Error when the node or the database fails
 */
export const readAgain = async (
  deps: IndexingDeps,
  node: ChainClient,
  block: number,
  head: IndexedBlock,
): Promise<void> => {
  const { network, database, onchainOrderContracts } = deps
  const stored = await selectBlocks(database, network.chainId)
  // an event before the index alone
  const fromBlock = Math.min(block, Math.max(stored[0]?.number ?? block, block - neighbours))
  const toBlock = Math.min(head.number, block + neighbours)
  const findHeader = createHeaderFinder(node, await findBlock(node, toBlock))
  const range = { fromBlock, toBlock, parent: undefined }
  const source = { findHeader, span: toBlock - fromBlock + 1, ability: { refusals: 0 } }
  const raw = await findChainEvents(node, { ...network, onchainOrderContracts }, range, source)
  const indexed = new Map(stored.map(({ number, hash }) => [number, hash]))
  if (raw.blocks.some(({ number, hash }) => (indexed.get(number) ?? hash) !== hash))
    throw new NodeError(`blocks ${fromBlock} to ${toBlock} of the node are not the indexed ones`)
  const ofNode = { ...deps, chain: node }
  const attributions = await attributeSettlements(ofNode, new Map(), raw, fromBlock)
  const onchainOrders = await findPlacedOrders(ofNode, raw.onchain, raw.blocks)
  // sums that end behind the block would never contain it
  if (fromBlock <= head.number - storedBlocks) await deleteAccountSurplusFrom(database, network.chainId, fromBlock)
  const events = { ...raw, ...attributions, onchainOrders, blocks: [] }
  await updateChain(database, network.chainId, { ...events, fromBlock, toBlock: head.number, undoFrom: null })
}

import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'

/** Seconds between two blocks of a test stack. */
const blockTime = 2

/** Reorganises the chain so that this block and all later ones are others, and empty. No block comes meanwhile. */
export const undoFrom = async (chain: LocalChain, blockNumber: number): Promise<void> => {
  await chain.setIntervalMining({ interval: 0 })
  const depth = Number(await chain.getBlockNumber()) - blockNumber + 1
  await chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)
  await chain.setIntervalMining({ interval: blockTime })
}

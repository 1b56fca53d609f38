import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { Checkpoint } from './holderStore.ts'

/** Checks that the head still has the same hash. */
export const checkHead = async (chain: ChainClient, head: Checkpoint): Promise<void> => {
  const { hash } = await findBlockHash(chain, head.number)
  if (hash !== head.hash) throw new Error(`block ${head.number} moved`)
}

/** The newest block of the node. */
export const findHolderHead = async (chain: ChainClient): Promise<Checkpoint> => {
  const { number, hash } = await chain.getBlock({ blockTag: 'latest' })
  if (number === null || hash === null) throw new Error('the node has no head')
  return { number: Number(number), hash }
}

/** The hash of a block. */
export const findBlockHash = async (chain: ChainClient, number: number): Promise<Pick<Checkpoint, 'hash'>> => {
  const { hash } = await chain.getBlock({ blockNumber: BigInt(number) })
  if (hash === null) throw new Error(`block ${number} has no hash`)
  return { hash }
}

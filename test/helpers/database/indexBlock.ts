import { pad, toHex } from 'viem'
import type { Database } from '#schema/client.ts'
import { type ChainUpdate, noEvents } from '#schema/queries/chain/chainUpdate.ts'
import { updateChain } from '#schema/queries/chain/updateChain.ts'
import { networks } from '#shared/networks.ts'

const genesis = 1_900_000_000_000
const msPerBlock = 12_000

/** Stores a block of Sepolia as the indexer does. @param isReplacement it replaces the one of this number and all after it */
export const indexBlock = (
  database: Database,
  number: number,
  events: Partial<ChainUpdate> = {},
  isReplacement = false,
): Promise<unknown> => {
  const hash = pad(toHex(10 * number + Number(isReplacement)), { size: 32 })
  const block = { number, hash, timestamp: new Date(genesis + number * msPerBlock) }
  const range = { fromBlock: number, toBlock: number, undoFrom: isReplacement ? number : null }
  return updateChain(database, networks.sepolia.chainId, { ...noEvents, ...events, ...range, blocks: [block] })
}

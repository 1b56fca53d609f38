import type { Address, Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { toChunks } from '#shared/toChunks.ts'
import { findBlock } from '../../chain/findBlock.ts'
import { type Holding, toHoldingKey } from './toHoldingKey.ts'

/** Beyond this distance, reading every balance takes less work than reading every log. */
const maxBlocks = 100
/** Number of blocks read again, because a node behind a shared URL may have lacked the newest ones. */
const overlap = 3
/** Tokens per call. */
const maxTokens = 500
/** A Worker has six connections. */
const parallelCalls = 4
/**
 * Maximum number of additional calls after a failure, for example because a token has more logs than a node returns.
 */
const maxSplits = 12
/** Zero padding of an address in a topic. */
const addressPadding = `0x${'0'.repeat(24)}`

export type Touched = {
  /** keys of holdings */
  keys: ReadonlySet<string>
  /** tokens whose logs the node does not return: any of their holdings may have changed */
  unlisted: ReadonlySet<Address>
}

/**
 * Finds holdings that may have changed since the block `before`: those of accounts named in a topic of any log of the
 * token. This covers transfers, approvals and custom events (wrapping, minting) without knowing them.
 * @returns undefined when unknown: the chain was reorganised, or `before` is too old
 * @throws Error when the node fails
 */
export const findChangedHoldings = async (
  chain: ChainClient,
  tokens: readonly Address[],
  before: Pick<IndexedBlock, 'number' | 'hash'>,
  block: Pick<IndexedBlock, 'number'>,
): Promise<Touched | undefined> => {
  if (block.number < before.number || block.number - before.number > maxBlocks) return undefined
  const { hash } = await findBlock(chain, before.number)
  if (hash !== before.hash) return undefined
  const fromBlock = BigInt(Math.max(before.number + 1 - overlap, 0))
  const keys = new Set<string>()
  const unlisted = new Set<Address>()
  let splits = maxSplits
  const list = async (address: Address[]): Promise<void> => {
    try {
      const logs = await chain.getLogs({ address, fromBlock, toBlock: BigInt(block.number) })
      for (const holding of logs.flatMap(toHoldings)) keys.add(toHoldingKey(holding))
    } catch {
      if (address.length === 1 || splits < 2) {
        for (const token of address) unlisted.add(token)
        return
      }
      splits -= 2
      const middle = Math.ceil(address.length / 2)
      await Promise.all([list(address.slice(0, middle)), list(address.slice(middle))])
    }
  }
  await mapBounded(toChunks(tokens, maxTokens), parallelCalls, list)
  return { keys, unlisted }
}

const toHoldings = ({ address, topics }: { address: Address; topics: readonly Hex[] }): Holding[] =>
  topics
    .slice(1)
    .filter((topic) => topic.startsWith(addressPadding))
    .map((topic) => ({ owner: `0x${topic.slice(addressPadding.length)}`, token: address.toLowerCase() as Address }))

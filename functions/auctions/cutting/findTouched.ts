import type { Address, Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { findBlock } from '../indexing/findBlock.ts'
import { type Holding, toHoldingKey } from './toHoldingKey.ts'

/** Further back, reading every balance is less work than reading every log. */
const maxBlocks = 100
/** Blocks looked at again: of several nodes behind one URL, one may not have had the newest. */
const overlap = 3
/** Tokens named in one call. */
const maxTokens = 500
/** A Worker has six connections. */
const parallelCalls = 4
/** What precedes an address in a topic. */
const addressPadding = `0x${'0'.repeat(24)}`

/**
 * Whose holdings may be others than at the block `before`: whoever is named in a topic of any log of the token. That covers
 * transfers, approvals, and what a token calls its own events (wrapping, minting), without knowing them.
 * @returns keys of holdings; undefined when nobody can say: the chain switched, it is too long ago, or the node lists no logs
 * @throws Error when the node fails
 */
export const findTouched = async (
  chain: ChainClient,
  tokens: readonly Address[],
  before: Pick<IndexedBlock, 'number' | 'hash'>,
  block: Pick<IndexedBlock, 'number'>,
): Promise<Set<string> | undefined> => {
  if (block.number < before.number || block.number - before.number > maxBlocks) return undefined
  const { hash } = await findBlock(chain, before.number)
  if (hash !== before.hash) return undefined
  const fromBlock = BigInt(Math.max(before.number + 1 - overlap, 0))
  const chunks = Array.from({ length: Math.ceil(tokens.length / maxTokens) }, (_, i) =>
    tokens.slice(i * maxTokens, (i + 1) * maxTokens),
  )
  try {
    const logs = await mapBounded(chunks, parallelCalls, (address) =>
      chain.getLogs({ address, fromBlock, toBlock: BigInt(block.number) }),
    )
    return new Set(logs.flat().flatMap(toHoldings).map(toHoldingKey))
  } catch {
    return undefined
  }
}

const toHoldings = ({ address, topics }: { address: Address; topics: readonly Hex[] }): Holding[] =>
  topics
    .slice(1)
    .filter((topic) => topic.startsWith(addressPadding))
    .map((topic) => ({ owner: `0x${topic.slice(addressPadding.length)}`, token: address.toLowerCase() as Address }))

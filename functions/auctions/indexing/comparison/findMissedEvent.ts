import { type Address, type Hex, pad, parseEventLogs, type RpcLog, toEventSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'

/** Place of an event on the chain. */
type Place = { blockNumber: number; logIndex: number }

const events = settlementAbi.filter(
  (item) => item.type === 'event' && (item.name === 'Trade' || item.name === 'OrderInvalidated'),
)

/** Nodes requested for one range. */
const maxNodes = 3

/**
 * Finds an event of an order that is not indexed: a trade or an invalidation. Each node is requested alone, because one
 * of them left the event out.
 * @param range inclusive
 * @param known indexed events of the order
 * @returns block of the first one, and the node that has it; undefined when no node has any
 */
export const findMissedEvent = async (
  { nodes, settlementContract }: { nodes: readonly ChainClient[]; settlementContract: Address },
  { uid, owner }: { uid: Hex; owner: Address },
  range: { fromBlock: number; toBlock: number },
  known: readonly Place[],
): Promise<{ block: number; node: ChainClient } | undefined> => {
  const filter = {
    address: settlementContract,
    fromBlock: toHex(range.fromBlock),
    toBlock: toHex(range.toBlock),
    topics: [events.map((event) => toEventSelector(event)), pad(owner)],
  }
  const indexed = new Set(known.map(toKey))
  const found = await Promise.allSettled(
    nodes.slice(0, maxNodes).map(async (node) => {
      const call = { method: 'eth_getLogs', params: [filter] } as never
      const logs = parseEventLogs({ abi: events, logs: (await node.request(call)) as RpcLog[] })
      const blocks = logs
        .filter(({ args }) => args.orderUid === uid)
        .map((log) => ({ blockNumber: Number(log.blockNumber), logIndex: Number(log.logIndex) }))
        .filter((place) => !indexed.has(toKey(place)))
        .map(({ blockNumber }) => blockNumber)
      return blocks.length > 0 ? { block: Math.min(...blocks), node } : undefined
    }),
  )
  return found.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []))[0]
}

const toKey = ({ blockNumber, logIndex }: Place): string => `${blockNumber}:${logIndex}`
const toHex = (number: number): Hex => `0x${number.toString(16)}`

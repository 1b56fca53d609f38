import { type Address, type Hex, parseEventLogs } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import type { OperatorChain } from '../contracts/connectOperator.ts'

/** Nodes return logs of a limited range. */
const maxBlocks = 1_000

/**
 * Settlements without trades in blocks that are not indexed yet: payments of a moment ago.
 * @param indexed newest indexed block
 * @throws Error when the index is far behind, or the node fails
 */
export const findUnindexedSettlements = async (
  chain: Pick<OperatorChain, 'getBlockNumber' | 'getLogs'>,
  settlement: Address,
  indexed: number,
): Promise<Hex[]> => {
  const head = Number(await chain.getBlockNumber({ cacheTime: 0 }))
  if (head <= indexed) return []
  if (head - indexed > maxBlocks)
    throw new Error(`the index is ${head - indexed} blocks behind the chain: pay when it has caught up (/readyz)`)
  const logs = await chain.getLogs({
    address: settlement,
    fromBlock: BigInt(indexed + 1),
    toBlock: BigInt(head),
  })
  const parsed = parseEventLogs({ abi: settlementAbi, eventName: ['Settlement', 'Trade'], logs })
  const traded = new Set(parsed.flatMap((log) => (log.eventName === 'Trade' ? [log.transactionHash] : [])))
  return parsed.flatMap((log) =>
    log.eventName === 'Settlement' && !traded.has(log.transactionHash) ? [log.transactionHash] : [],
  )
}

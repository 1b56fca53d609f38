import type { AbiEvent, Address, Log } from 'viem'
import type { ChainBlock } from '../../chain/findBlock.ts'
import { NodeError } from '../../chain/NodeError.ts'

/** Log filter: contracts in lower case, and events. */
export type LogFilter = { addresses: readonly Address[]; events: readonly AbiEvent[] }

/** Inclusive. */
export type BlockRange = { fromBlock: number; toBlock: number }

/** A log of a mined block. */
export type MinedLog = Log<bigint, number, false>

/**
 * Checks that logs belong to the range and the contracts, and are in order.
 * @throws NodeError
 */
export const checkLogs = (
  logs: readonly MinedLog[],
  { addresses }: LogFilter,
  { fromBlock, toBlock }: BlockRange,
  blocks: readonly ChainBlock[],
): void => {
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
  let previous: MinedLog | undefined
  for (const log of logs) {
    const number = Number(log.blockNumber)
    if (log.removed || number < fromBlock || number > toBlock) throw new NodeError(`log of block ${number} is foreign`)
    if ((hashes.get(number) ?? log.blockHash) !== log.blockHash) throw new NodeError(`block ${number} moved`)
    if (!isOneOf(addresses, log)) throw new NodeError(`log of ${log.address}, asked for ${addresses}`)
    if (previous && !isAfter(log, previous)) throw new NodeError(`logs of block ${number} are out of order`)
    previous = log
  }
}

/** Whether a log is of one of the contracts. */
export const isOneOf = (addresses: readonly Address[], log: { address: Address }): boolean =>
  addresses.includes(log.address.toLowerCase() as Address)

const isAfter = (log: MinedLog, previous: MinedLog): boolean =>
  log.blockNumber > previous.blockNumber ||
  (log.blockNumber === previous.blockNumber && log.logIndex > previous.logIndex)

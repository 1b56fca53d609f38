import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'

/** A block whose auction is not held, because the node fails or no order is open, is followed after so many block times. */
const longestWait = 3
/** for a solver to simulate and to send what it has won */
const settleMs = 1_000

/**
 * Mines a block every `seconds` with all that waits for one, and later as long as the auction on the last one lasts: a busy
 * machine slows down the chain instead of the market, whose auctions fit into the block times of public networks.
 * @param readAuction the last auction: its block, and when it was decided in Unix milliseconds
 * @returns what stops it
 */
export const startMiner = async (
  chain: LocalChain,
  { seconds, readAuction }: { seconds: number; readAuction: () => { block: number; at: number } },
): Promise<() => Promise<void>> => {
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  let isStopped = false
  const mine = async () => {
    while (!isStopped) {
      const head = Number(await chain.getBlockNumber())
      const [due, latest] = [1, longestWait].map((times) => Date.now() + times * seconds * 1_000) as [number, number]
      const isDue = () => {
        const { block, at } = readAuction()
        return Date.now() > latest || (Date.now() > due && block >= head && Date.now() > at + settleMs)
      }
      while (!isStopped && !isDue()) await sleep(50)
      if (!isStopped) await chain.mine({ blocks: 1 })
    }
  }
  const mining = mine()
  return async () => {
    isStopped = true
    await mining
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { type ClockLog, fruitlessTicks } from './createClockLog.ts'

/** Ticks in which a solver simulates and sends what it has won. */
const settleTicks = 2
/** The longest wait for a clock that does not tick at all. */
const longestMs = 60_000

/**
 * Mines a block every `seconds` with all that waits for one, and later as long as the auction on the last one lasts: a busy
 * machine slows down the chain instead of the market, whose auctions fit into the block times of public networks. What follows
 * an auction, or its absence, is measured in ticks, which are slower on such a machine, too.
 * @returns what stops it
 */
export const startMiner = async (
  chain: LocalChain,
  { seconds, readAuction, countTicks }: { seconds: number } & Pick<ClockLog, 'readAuction' | 'countTicks'>,
): Promise<() => Promise<void>> => {
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  let isStopped = false
  const mine = async () => {
    while (!isStopped) {
      const [head, minedAt, firstTick] = [Number(await chain.getBlockNumber()), Date.now(), countTicks()]
      let decidedAt: number | undefined
      const isDue = () => {
        const [elapsed, tick] = [Date.now() - minedAt, countTicks()]
        if (readAuction().block >= head) decidedAt ??= tick
        const isOver = decidedAt === undefined ? tick > firstTick + fruitlessTicks : tick > decidedAt + settleTicks
        return elapsed > longestMs || (elapsed > seconds * 1_000 && isOver)
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

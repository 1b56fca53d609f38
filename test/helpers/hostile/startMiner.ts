import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { type ClockLog, fruitlessTicks } from './createClockLog.ts'

/** Ticks in which each solver that has won simulates and sends, on a quiet machine. */
const settleTicks = 2
/** Ticks after which none of the solvers will send: their settlements failed in simulation, or another solver has won. */
const longestSettleTicks = 6
/** The longest wait for a clock that does not tick at all. */
const longestMs = 60_000

export type MinerTerms = {
  /** least time between two blocks */
  seconds: number
  /** those whose settlements a block waits for */
  solvers: readonly Address[]
} & Pick<ClockLog, 'readAuction' | 'countTicks'>

/**
 * Mines a block every `seconds` with all that waits for one, and later as long as the auction on the last one lasts and its
 * winners have not sent: a busy machine slows down the chain instead of the market, whose auctions and settlements fit into the
 * block times of public networks. What follows an auction, or its absence, is measured in ticks, which are slower on such a
 * machine, too.
 * @returns function that stops it
 */
export const startMiner = async (chain: LocalChain, terms: MinerTerms): Promise<() => Promise<void>> => {
  const { seconds, solvers, readAuction, countTicks } = terms
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  const hasSent = async (address: Address): Promise<boolean> => {
    const [pending, latest] = await Promise.all([
      chain.getTransactionCount({ address, blockTag: 'pending' }),
      chain.getTransactionCount({ address, blockTag: 'latest' }),
    ])
    return pending > latest
  }
  let isStopped = false
  const mine = async () => {
    while (!isStopped) {
      const [head, minedAt, firstTick] = [Number(await chain.getBlockNumber()), Date.now(), countTicks()]
      let decidedAt: number | undefined
      const isOver = async (): Promise<boolean> => {
        const [tick, { block, winners }] = [countTicks(), readAuction()]
        if (block >= head) decidedAt ??= tick
        if (decidedAt === undefined) return tick > firstTick + fruitlessTicks
        if (tick <= decidedAt + settleTicks) return false
        if (winners === 0 || tick > decidedAt + longestSettleTicks) return true
        // a request that fails is repeated with the next look
        return (await Promise.all(solvers.map(hasSent)).catch((): boolean[] => [])).includes(true)
      }
      const isDue = async (): Promise<boolean> => {
        const elapsed = Date.now() - minedAt
        return elapsed > longestMs || (elapsed > seconds * 1_000 && (await isOver()))
      }
      while (!isStopped && !(await isDue())) await sleep(50)
      if (!isStopped) await chain.mine({ blocks: 1 })
    }
  }
  const mining = mine()
  return async () => {
    isStopped = true
    await mining
  }
}

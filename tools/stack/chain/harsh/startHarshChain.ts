import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../createRandom.ts'
import type { LocalChain } from '../connectLocalChain.ts'
import type { HarshOptions } from './harshOptions.ts'
import { type MarketFacts, startCompetition } from './startCompetition.ts'

export type HarshChain = {
  /** Sends the swaps of the next block and mines it. Waiting transactions are ordered by their tips, highest first. */
  mine: () => Promise<void>
  /** share of the competitors' swaps that succeeded, 0 to 1 */
  findSwapSuccess: () => Promise<number>
  /** Ends interval mining; automatic mining remains off. */
  stop: () => Promise<void>
}

const gwei = 10 ** 9
/** wei */
const baseFees = { first: gwei, least: gwei / 4, most: 4 * gwei }
/** EIP-1559: from an empty block to a full one */
const maxFeeStep = 1 / 8

/**
 * Turns a prepared local chain into a harsh one: blocks at an interval or by `mine`, with the swaps of competitors and
 * other base fees. Accounts that a test needs are funded before.
 * @param options.onError receives errors of the interval; mining continues
 */
export const startHarshChain = async (
  chain: LocalChain,
  facts: MarketFacts,
  options: HarshOptions & { onError?: (error: unknown) => void },
): Promise<HarshChain> => {
  const { seed, competitors, swingsBaseFee, blockSeconds, onError } = options
  const competition = await startCompetition(chain, facts, { competitors, random: createRandom(seed) })
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 0 })
  const drawFee = createRandom(seed + 1)
  let baseFee = baseFees.first
  const mineBlock = async () => {
    if (swingsBaseFee) await chain.setNextBlockBaseFeePerGas({ baseFeePerGas: BigInt(Math.round(baseFee)) })
    await chain.mine({ blocks: 1 })
  }
  await mineBlock()

  const mine = async () => {
    if (swingsBaseFee) {
      const step = 1 + (drawFee() * 2 - 1) * maxFeeStep
      baseFee = Math.min(Math.max(baseFee * step, baseFees.least), baseFees.most)
    } else baseFee = Number((await chain.getBlock()).baseFeePerGas ?? 0n)
    // the fee cap of a transaction must cover the base fee of the newest block, too
    await competition.trade(BigInt(Math.ceil(baseFee * (1 + maxFeeStep))))
    await mineBlock()
  }

  const end = new AbortController()
  const mineAtInterval = async (seconds: number) => {
    for (let due = Date.now(); !end.signal.aborted; due = Math.max(due + seconds * 1_000, Date.now())) {
      await sleep(Math.max(due - Date.now(), 0), undefined, { signal: end.signal }).catch(() => undefined)
      if (!end.signal.aborted) await mine().catch((error: unknown) => onError?.(error))
    }
  }
  const mining = blockSeconds === undefined ? Promise.resolve() : mineAtInterval(blockSeconds)

  return {
    mine,
    findSwapSuccess: async () => {
      const receipts = await Promise.all(competition.swaps.map((hash) => chain.getTransactionReceipt({ hash })))
      return receipts.filter(({ status }) => status === 'success').length / receipts.length
    },
    stop: async () => {
      end.abort()
      await mining
    },
  }
}

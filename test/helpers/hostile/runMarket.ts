import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, Arena } from './arena.ts'
import { createDice, type Dice } from './createDice.ts'
import type { HonestTrader } from './honestTrader.ts'

/** Least and longest pause between two orders of the honest trader, ms */
const honestPauseMs = [800, 2_000] as const

export type MarketTerms = {
  actors: readonly Actor[]
  trader: HonestTrader
  durationMs: number
  /** between two blocks, while nothing is slow */
  blockMs: number
  /** orders of the honest trader that the market waits for, up to six times its duration */
  sample: number
}

/**
 * Lets the actors and the honest trader act side by side for a while. A busy machine, which slows down the chain, slows down the
 * actors, too: their pauses last as many blocks as on a quiet one. Faults of actors and of their pauses are counted and
 * change nothing for the others.
 */
export const runMarket = async (arena: Arena, terms: MarketTerms): Promise<void> => {
  const { actors, trader, durationMs, blockMs, sample } = terms
  const until = Date.now() + durationMs
  const isOver = () => Date.now() >= until && (trader.orders.length >= sample || Date.now() >= until + 5 * durationMs)
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    await work().catch((error: Error) => arena.count(`${what} failed: ${error.message.split('\n')[0]}`))
  }
  const waitBlocks = async (dice: Dice, [least, longest]: readonly [number, number]): Promise<void> => {
    const [ms, rest] = [dice.between(least, longest), until - Date.now()]
    const last = (await arena.findHead()) + Math.floor(ms / blockMs)
    // not longer than the rest of the duration
    await sleep(rest > 0 ? Math.min(ms, rest) : ms)
    while (!isOver() && (await arena.findHead()) < last) await sleep(250)
  }
  const pause = (name: string, dice: Dice, pauseMs: readonly [number, number]) =>
    attempt(`pause of ${name}`, () => waitBlocks(dice, pauseMs))
  const repeat = async (name: string, pauseMs: readonly [number, number], work: () => Promise<void>) => {
    const dice = createDice(arena.seed, `pauses of ${name}`)
    while (!isOver()) {
      await attempt(name, work)
      await pause(name, dice, pauseMs)
    }
  }
  const firstPause = (name: string, pauseMs: readonly [number, number]) =>
    pause(name, createDice(arena.seed, `first pause of ${name}`), pauseMs)
  await Promise.all([
    repeat('honest trader', honestPauseMs, trader.trade),
    ...actors.map(({ name, pauseMs, act }) => firstPause(name, pauseMs).then(() => repeat(name, pauseMs, act))),
  ])
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, Arena } from './arena.ts'
import { createDice, type Dice } from './createDice.ts'
import type { HonestTrader } from './honestTrader.ts'

/** Least and longest pause between two orders of the honest trader, ms: at least 40 in two minutes, so that two may be late. */
const honestPauseMs = [800, 2_000] as const

/**
 * Lets the actors and the honest trader act side by side for a while. Faults of actors, such as a transaction that a
 * reorganisation drops, are counted and change nothing for the others.
 */
export const runMarket = async (
  arena: Arena,
  { actors, trader, durationMs }: { actors: readonly Actor[]; trader: HonestTrader; durationMs: number },
): Promise<void> => {
  const until = Date.now() + durationMs
  const repeat = async (name: string, pauseMs: readonly [number, number], work: () => Promise<void>) => {
    const dice = createDice(arena.seed, `pauses of ${name}`)
    while (Date.now() < until) {
      await work().catch((error: Error) => arena.count(`${name} failed: ${error.message.split('\n')[0]}`))
      await pause(dice, pauseMs, until)
    }
  }
  const firstPause = (name: string, pauseMs: readonly [number, number]) =>
    pause(createDice(arena.seed, `first pause of ${name}`), pauseMs, until)
  await Promise.all([
    repeat('honest trader', honestPauseMs, trader.trade),
    ...actors.map(({ name, pauseMs, act }) => firstPause(name, pauseMs).then(() => repeat(name, pauseMs, act))),
  ])
  for (const { stop } of actors) await stop?.()
}

const pause = (dice: Dice, [least, longest]: readonly [number, number], until: number): Promise<void> =>
  sleep(Math.max(0, Math.min(dice.between(least, longest), until - Date.now())))

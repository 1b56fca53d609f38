import { createAccount, type Participant, type World } from '../world.ts'
import { createCanceller } from './createCanceller.ts'
import { createHostileTrader } from './createHostileTrader.ts'
import { createMarketTrader } from './createMarketTrader.ts'
import { createMover } from './createMover.ts'
import { createNoiseTrader } from './createNoiseTrader.ts'
import { createSubscriber, type EventSubscription } from './createSubscriber.ts'
import { createWeather } from './createWeather.ts'

type CreateActor = (world: World, name: string) => Participant

const participants: readonly [name: string, create: CreateActor][] = [
  ['trader 0', createMarketTrader],
  ['trader 1', createMarketTrader],
  ['trader 2', createMarketTrader],
  ['canceller', createCanceller],
  ['mover', createMover],
  ['hostile trader', createHostileTrader],
  ['noise', createNoiseTrader],
]
const followed: readonly string[] = ['trader 0', 'trader 0', 'canceller', 'hostile trader']

/**
 * The actors of a run. Each makes its own choices, so that the others choose the same without it.
 * @param without names of those that do not take part
 * @param later runs work in virtual time
 */
export const createActors = (
  world: World,
  without: readonly string[],
  later: (milliseconds: number, work: () => void) => void,
): { actors: Participant[]; subscriptions: EventSubscription[] } => {
  const isPresent = (name: string) => !without.includes(name)
  const traders = participants.flatMap(([name, create]) => (isPresent(name) ? [create(world, name)] : []))
  const subscribers = followed.flatMap((owner, i) => {
    const name = `subscriber ${i}`
    return isPresent(name) ? [createSubscriber(world, name, createAccount(owner).address)] : []
  })
  const weather = isPresent('weather') ? [createWeather(world, later)] : []
  return { actors: [...traders, ...subscribers, ...weather], subscriptions: subscribers }
}

import { type NotificationType, notificationTypes } from '#shared/notifications/notificationTypes.ts'
import { strangeTokens } from '../market.ts'
import { createAccount, type Participant, type World } from '../world.ts'
import { createAuditor } from './createAuditor.ts'
import { createCanceller } from './createCanceller.ts'
import { createChoosyTrader } from './createChoosyTrader.ts'
import { clashingTrader, createClashingTrader } from './createClashingTrader.ts'
import { createDustTrader, dustTrader } from './createDustTrader.ts'
import { createEndingTrader, endingTrader } from './createEndingTrader.ts'
import { createForgetfulNode } from './createForgetfulNode.ts'
import { createHookedTrader } from './createHookedTrader.ts'
import { createHostileTrader } from './createHostileTrader.ts'
import { createMarketMaker } from './createMarketMaker.ts'
import { createMarketTrader } from './createMarketTrader.ts'
import { createMover } from './createMover.ts'
import { createNativeTrader, createQuotedNativeTrader } from './createNativeTrader.ts'
import { createNoiseTrader } from './createNoiseTrader.ts'
import { createPartnerTrader, createQuotedPartnerTrader } from './createPartnerTrader.ts'
import { createPoolMaker } from './createPoolMaker.ts'
import { createPoolMover, poolMover } from './createPoolMover.ts'
import { createQuotedTrader } from './createQuotedTrader.ts'
import { createReceiver, type Reception } from './createReceiver.ts'
import { createRevokingTrader } from './createRevokingTrader.ts'
import { createSelfTrader } from './createSelfTrader.ts'
import { createStandingTrader } from './createStandingTrader.ts'
import { createStrategist } from './createStrategist.ts'
import { createSubscriber, type EventSubscription } from './createSubscriber.ts'
import { createTheorist } from './createTheorist.ts'
import { createUnreadableTrader } from './createUnreadableTrader.ts'
import { createWalletTrader } from './createWalletTrader.ts'
import { createWeather } from './createWeather.ts'

type CreateActor = (world: World, name: string) => Participant

const participants: readonly [name: string, create: CreateActor][] = [
  ['trader 0', createMarketTrader],
  ['trader 1', createMarketTrader],
  ['trader 2', createMarketTrader],
  ['canceller', createCanceller],
  ['mover', createMover],
  ['hostile trader', (world, name) => createHostileTrader(world, name)],
  ['native trader', createNativeTrader],
  ['noise', createNoiseTrader],
  ['strange trader', (world, name) => createHostileTrader(world, name, strangeTokens)],
  ['market maker', createMarketMaker],
  ['quoted trader', createQuotedTrader],
  ['quoted native trader', createQuotedNativeTrader],
  ['hooked trader', (world) => createHookedTrader(world, 'hooked trader')],
  ['hostile hooks', (world) => createHookedTrader(world, 'hostile hooks')],
  ['wallet trader', (world) => createWalletTrader(world, 'wallet trader')],
  ['fickle wallet', (world) => createWalletTrader(world, 'fickle wallet')],
  ['burning wallet', (world) => createWalletTrader(world, 'burning wallet')],
  ['partner trader', createPartnerTrader],
  ['quoted partner trader', createQuotedPartnerTrader],
  ['gone wallet', (world) => createWalletTrader(world, 'gone wallet')],
  ['unreadable trader', createUnreadableTrader],
  ['auditor', createAuditor],
  ['revoking trader', createRevokingTrader],
  ['choosy trader', createChoosyTrader],
  ['standing trader', createStandingTrader],
  ['self trader', createSelfTrader],
  ['strategist', createStrategist],
  ['poor strategist', createStrategist],
]
/** take part only when they are named */
const named: readonly [name: string, create: CreateActor][] = [
  [dustTrader, createDustTrader],
  ['pool maker', createPoolMaker],
  [clashingTrader, createClashingTrader],
  [endingTrader, createEndingTrader],
  [poolMover, createPoolMover],
]
const forgetfulNode = 'forgetful node'
const theorist = 'theorist'
const notified: readonly [name: string, account: string, types: readonly NotificationType[]][] = [
  ['receiver 0', 'trader 0', notificationTypes],
  ['receiver 1', 'trader 0', ['order_filled', 'order_partially_filled']],
  ['receiver 2', 'canceller', notificationTypes],
  ['receiver 3', 'mover', notificationTypes],
  ['receiver 4', 'native trader', notificationTypes],
]
const followed: readonly string[] = ['trader 0', 'trader 0', 'canceller', 'hostile trader']
const nameSubscriber = (_: unknown, i: number): string => `subscriber ${i}`

/** Names of actors, each with the account without which it would have nothing to do. */
const names: readonly [name: string, account: string][] = [
  ...participants.map(([name]): [string, string] => [name, name]),
  ...notified.map(([name, account]): [string, string] => [name, account]),
  ...followed.map((account, i): [string, string] => [nameSubscriber(account, i), account]),
  ['weather', 'weather'],
]
/** takes part in every run, so that there are auctions */
const constant = 'trader 0'
/** part of the seeds in which all actors take part */
const fullSeeds = 0.1

/**
 * Names of the actors of a seed: a random part of a random size. Runs differ more than with all of them, some of which
 * hide what others would show, and a block takes less time. Source: Groce et al., Swarm Testing, 2012.
 */
const chooseNames = (dice: World['dice']): ReadonlySet<string> => {
  const size = dice('number of actors')
  const part = size.chance(fullSeeds) ? 1 : size.between(15, 65) / 100
  // each has its own dice, so that a new actor changes the presence of no other
  const chosen = names.filter(([name]) => name === constant || dice(`presence of ${name}`).chance(part))
  return new Set(chosen.flat())
}

/**
 * The actors of a run. Each makes its own choices, so that the others choose the same without it.
 * @param later runs work in virtual time
 */
export const createActors = (
  world: World,
  terms: { with?: readonly string[]; without?: readonly string[]; only?: readonly string[] },
  later: (milliseconds: number, work: () => void) => void,
): { actors: Participant[]; subscriptions: EventSubscription[]; receptions: Reception[] } => {
  const chosen = chooseNames(world.dice)
  const isPresent = (name: string) =>
    terms.only
      ? terms.only.includes(name)
      : (chosen.has(name) || terms.with?.includes(name)) && !terms.without?.includes(name)
  const createPlacer: CreateActor = (one, name) => createTheorist(one, name, isPresent('weather') ? 'stormy' : 'still')
  const traders = [...participants, [theorist, createPlacer] as const, ...named].flatMap(([name, create]) =>
    isPresent(name) ? [create(world, name)] : [],
  )
  const subscribers = followed.flatMap((owner, i) => {
    const name = nameSubscriber(owner, i)
    return isPresent(name) ? [createSubscriber(world, name, createAccount(owner).address)] : []
  })
  const receivers = notified.flatMap(([name, account, types]) =>
    isPresent(name) ? [createReceiver(world, name, account, types)] : [],
  )
  const weather = [
    ...(isPresent('weather') ? [createWeather(world, later)] : []),
    ...(isPresent(forgetfulNode) ? [createForgetfulNode(world, forgetfulNode, later)] : []),
  ]
  return {
    actors: [...traders, ...subscribers, ...receivers, ...weather],
    subscriptions: subscribers,
    receptions: receivers,
  }
}

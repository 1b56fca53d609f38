import type { Address } from 'viem'
import type { Reception } from '../actors/createReceiver.ts'
import type { EventSubscription } from '../actors/createSubscriber.ts'
import type { Block } from '../chain/createChain.ts'
import type { World } from '../world.ts'
import { checkStorage } from './budgets/checkStorage.ts'
import { createUsageCheck } from './budgets/checkUsage.ts'
import { checkAttempts } from './checkAttempts.ts'
import { checkBestPrice } from './checkBestPrice.ts'
import { checkEarnings } from './checkEarnings.ts'
import { checkEvents } from './checkEvents.ts'
import { createExclusionCheck } from './checkExclusions.ts'
import { checkFees, createBufferCheck } from './checkFees.ts'
import { createFillCheck } from './checkFills.ts'
import { checkHooks } from './checkHooks.ts'
import { checkIndex } from './checkIndex.ts'
import { checkListed } from './checkListed.ts'
import { checkNonces } from './checkNonces.ts'
import { createNotificationCheck } from './checkNotifications.ts'
import { checkNotified } from './checkNotified.ts'
import { checkOutcomes } from './checkOutcomes.ts'
import { createPartCheck } from './checkParts.ts'
import { createProgressCheck } from './checkProgress.ts'
import { checkPublic } from './checkPublic.ts'
import { createQuoteCheck } from './checkQuotes.ts'
import { createScoreCheck } from './checkScores.ts'
import { checkSteps } from './checkSteps.ts'
import { checkSubscribers } from './checkSubscribers.ts'
import { checkTheorem } from './checkTheorem.ts'
import { checkTrades } from './checkTrades.ts'
import { checkYielded } from './checkYielded.ts'
import { checkResponses } from './clients/checkResponses.ts'
import { checkOwedFees } from './fees/checkOwedFees.ts'
import { createSolverLossCheck } from './fees/checkSolverLoss.ts'
import { checkWorthless } from './fees/checkWorthless.ts'

/**
 * All invariants, checked after every block, when the service has had the time until the next one.
 * @returns rejects with a `Violation`
 */
export const createChecks = (
  world: World,
  solvers: readonly Address[],
  { subscriptions, receptions }: { subscriptions: readonly EventSubscription[]; receptions: readonly Reception[] },
) => {
  const checkFills = createFillCheck(world)
  const checkProgress = createProgressCheck(world)
  const checkParts = createPartCheck(world)
  const checkExclusions = createExclusionCheck(world)
  const checkScores = createScoreCheck(world)
  const checkNotifications = createNotificationCheck(world, receptions)
  const checkSolverLoss = createSolverLossCheck(world, solvers)
  const checkUsage = createUsageCheck(world)
  const checkQuotes = createQuoteCheck(world)
  const checkBuffers = createBufferCheck(world)
  return async (block: Block): Promise<void> => {
    checkTrades(world, solvers, block)
    checkPublic(world)
    checkQuotes()
    checkResponses(world)
    await checkUsage(block)
    checkStorage(world, block)
    checkBuffers(block)
    checkHooks(world, block)
    checkNonces(world, solvers, block)
    checkSteps(world, block)
    // what a node leaves out is missing until the chain's filled amounts are compared
    const isForgetting = world.weather.isForgetting && block.number <= world.weather.disturbedAt
    const cursor = isForgetting ? undefined : await checkIndex(world)
    checkProgress(block, cursor)
    await checkParts(block, cursor)
    checkFills(block)
    checkTheorem(world, block)
    if (cursor !== undefined) await checkFees(world, cursor)
    if (cursor !== undefined) await checkEarnings(world, cursor)
    if (cursor !== undefined) await checkOwedFees(world, solvers, cursor)
    if (cursor !== undefined) await checkOutcomes(world, solvers, cursor)
    if (cursor !== undefined) await checkBestPrice(world, solvers, cursor)
    checkSolverLoss(block)
    checkWorthless(world)
    await checkAttempts(world)
    await checkScores()
    await checkExclusions()
    await checkListed(world, block)
    await checkEvents(world, block)
    await checkYielded(world, solvers)
    await checkSubscribers(world, subscriptions)
    if (cursor !== undefined) await checkNotified(world, cursor)
    await checkNotifications(block)
  }
}

import { connectDatabase } from '#schema/client.ts'
import { createPauseFinder } from '#schema/queries/pauses/createPauseFinder.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { listNodes } from '#shared/chain/nodes/fetchNode.ts'
import { shuffle } from './competition/shuffle.ts'
import type { ClockDeps } from './createClock.ts'
import type { Settings } from './settings.ts'
import { computeDeadlineBlocks } from './settling/computeDeadlineBlocks.ts'
import { connectThroughObjects } from './solvers/connectThroughObjects.ts'

/** Long, because hundreds of blocks are one batch and no client waits. */
const statementTimeoutMs = 20_000

/** Connects the clock's dependencies from the Worker's settings and the abilities of its Durable Object. */
export const connectClock = (
  settings: Settings,
  { log, background }: Pick<ClockDeps, 'log' | 'background'>,
): ClockDeps => {
  const { NETWORK: network, NOTIFIER: notifier } = settings
  const database = connectDatabase(settings.DATABASE_URL, statementTimeoutMs)
  return {
    network,
    database,
    chain: connectChain(settings.RPC_URL, network.chainId),
    nodes: listNodes(settings.RPC_URL).map((url) => connectChain(url, network.chainId)),
    simulate: simulateCalls(settings.RPC_URL),
    solvers: connectThroughObjects(settings.solvers, settings.SOLVER_CONNECTIONS, network.name),
    now: Date.now,
    shuffle,
    log,
    background,
    findPauses: createPauseFinder({ database, chainId: network.chainId }, Date.now),
    notify: notifier && (async () => (await notifier.fetch('http://notifier/dispatch', toDispatch())).body?.cancel()),
    solveTimeMs: settings.SOLVE_TIME_MS,
    submissionDeadlineBlocks: computeDeadlineBlocks(network, settings.SUBMISSION_DEADLINE_SECONDS),
    minValiditySeconds: settings.MIN_VALIDITY_SECONDS,
    maxOrders: settings.MAX_AUCTION_ORDERS,
    bannedUsers: new Set(settings.BANNED_USERS),
    unsupportedTokens: new Set(settings.UNSUPPORTED_TOKENS),
    outOfMarketBps: settings.OUT_OF_MARKET_BPS,
    maxGas: settings.MAX_GAS_PER_ORDER,
    feeRules: settings.feeRules,
    onchainOrderContracts: settings.ONCHAIN_ORDER_CONTRACTS ?? (network.contractSet === 'own' ? [network.ethFlow] : []),
    startBlock: settings.START_BLOCK,
    reindexFrom: settings.REINDEX_FROM,
    jitOrderOwners: new Set(settings.SURPLUS_CAPTURING_JIT_ORDER_OWNERS),
    hideBeforeDeadline: settings.HIDE_COMPETITION_BEFORE_DEADLINE,
  }
}

const notifyTimeoutMs = 10_000

const toDispatch = (): RequestInit => ({ method: 'POST', signal: AbortSignal.timeout(notifyTimeoutMs) })

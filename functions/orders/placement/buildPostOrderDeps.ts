import type { Database } from '#schema/client.ts'
import { findTokenWords } from '#schema/queries/tokens/findTokenWords.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { checkTokenFaults } from '#shared/tokens/checkTokenFaults.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import type { TokenFaults } from '#shared/tokens/findTokenFault.ts'
import type { CancellationDeps } from '../cancellation/cancelOrders.ts'
import type { Settings } from '../settings.ts'
import { computeSubmitter } from './computeSubmitter.ts'
import { findPlacementChainFacts } from './findPlacementChainFacts.ts'
import type { PostOrderDeps } from './postOrder.ts'

/** Longest wait for the proof that a token loses amounts; without it the order is not refused. */
const tokenTimeoutMs = 1_500

/** Time that a new order waits for the node before it is refused with 503. */
const chainTimeoutMs = 4_000

/** Builds the dependencies of `postOrder` from the Worker's settings, with caches of tokens for the life of the isolate. */
export const buildPostOrderDeps = (
  settings: Settings,
  database: Database,
): Omit<PostOrderDeps, 'wakeAuctions' | 'findPauses' | keyof CancellationDeps> => {
  const { NETWORK: network, DATABASE_URL, RPC_URL } = settings
  const simulate = simulateCalls(RPC_URL)
  const balanceLayouts: BalanceLayouts = new Map()
  const tokenFaults: TokenFaults = new Map()
  return {
    network,
    bannedUsers: new Set(settings.BANNED_USERS),
    unsupportedTokens: new Set(settings.UNSUPPORTED_TOKENS),
    solverFeatures: settings.SOLVERS.map(({ supports }) => new Set(supports)),
    bounds: {
      limitOrders: settings.MAX_LIMIT_ORDERS_PER_USER,
      openOrders: settings.MAX_OPEN_ORDERS_PER_USER,
      unsignedOfClient: settings.MAX_UNSIGNED_ORDERS_PER_CLIENT,
      unsignedOrders: settings.MAX_UNSIGNED_ORDERS,
    },
    // the database URL holds a password, so it is a secret that no database has a copy of
    computeSubmitter: (client) => computeSubmitter(DATABASE_URL, client),
    maxGas: settings.MAX_GAS_PER_ORDER,
    minValiditySeconds: settings.MIN_VALIDITY_SECONDS,
    findOrderFacts: (query) =>
      findPlacementChainFacts(
        {
          network,
          connect: () => connectChain(RPC_URL),
          simulate,
          timeoutMs: chainTimeoutMs,
        },
        query,
      ),
    checkTokenFaults: (tokens, isNew) => {
      const signal = AbortSignal.timeout(tokenTimeoutMs)
      const findLayout = isNew ? createLayoutFinder({ simulate, balanceLayouts }, signal) : undefined
      return checkTokenFaults({ network, simulate, now: Date.now, tokenFaults }, tokens, signal, findLayout)
    },
    findTokens: (tokens) => findTokenWords({ network, database, rpcUrl: RPC_URL }, tokens),
  }
}

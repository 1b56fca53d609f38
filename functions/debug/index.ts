import { connectDatabase, type Database } from '#schema/client.ts'
import { createPauseFinder } from '#schema/queries/pauses/createPauseFinder.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { findTokenWords } from '#schema/queries/tokens/findTokenWords.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { findFaultOfTokens } from '#shared/tokens/checkTokenFaults.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import type { TokenFaults } from '#shared/tokens/findTokenFault.ts'
import { connectArchive } from './archive/connectArchive.ts'
import { getAuction } from './competition/getAuction.ts'
import { getAuctions } from './competition/getAuctions.ts'
import { getSolver } from './competition/getSolver.ts'
import { getSolverCompetition } from './competition/getSolverCompetition.ts'
import { createVerdictFinder } from './createVerdictFinder.ts'
import { getFees } from './fees/getFees.ts'
import { pauseRoutes } from './pauses/pauseRoutes.ts'
import { getReceipt } from './receipt/getReceipt.ts'
import { getDebugReport } from './report/getDebugReport.ts'
import { type Settings, settingsSchema } from './settings.ts'
import type { DryRunDeps } from './simulation/dryRunDeps.ts'
import { findExecutablePrice } from './simulation/findExecutablePrice.ts'
import { getSimulation } from './simulation/getSimulation.ts'
import { postSimulation } from './simulation/postSimulation.ts'
import { settlementSimulation } from './simulation/settlementSimulation.ts'
import { findStoredVerdict } from './simulation/simulateStoredOrder.ts'

/** Longest wait for the proof that a token loses amounts. */
const tokenTimeoutMs = 1_500

const buildDryRunDeps = ({ NETWORK: network, RPC_URL, ...rules }: Settings, database: Database): DryRunDeps => {
  const { chainId, settlementContract } = network
  const simulate = simulateCalls(RPC_URL)
  const balanceLayouts: BalanceLayouts = new Map()
  const tokenFaults: TokenFaults = new Map()
  return {
    database,
    network,
    domainSeparator: computeDomainSeparator(chainId, settlementContract),
    bannedUsers: new Set(rules.BANNED_USERS),
    unsupportedTokens: new Set(rules.UNSUPPORTED_TOKENS),
    findPauses: createPauseFinder({ database, chainId }, Date.now),
    maxGas: rules.MAX_GAS_PER_ORDER,
    minValiditySeconds: rules.MIN_VALIDITY_SECONDS,
    outOfMarketBps: rules.OUT_OF_MARKET_BPS,
    solverFeatures: rules.SOLVERS.map(({ supports }) => new Set(supports)),
    simulate,
    findTokenFault: (tokens) => {
      const signal = AbortSignal.timeout(tokenTimeoutMs)
      const findLayout = createLayoutFinder({ simulate, balanceLayouts }, signal)
      return findFaultOfTokens({ network, simulate, now: Date.now, tokenFaults }, tokens, signal, findLayout)
    },
    connect: () => connectChain(RPC_URL),
    findPrice: findExecutablePrice(rules.QUOTES),
    now: Date.now,
  }
}

export default createWorker({
  settings: settingsSchema,
  routes: (settings) => {
    const { NETWORK: network, RPC_URL: rpcUrl, DEBUG_TOKEN: token } = settings
    const { chainId } = network
    const database = connectDatabase(settings.DATABASE_URL)
    const dryRunDeps = buildDryRunDeps(settings, database)
    const findVerdict = createVerdictFinder(Date.now, (uid) => findStoredVerdict(dryRunDeps, uid))
    const reading = { database, chainId, archive: connectArchive(settings.ARCHIVE, chainId) }
    const hideBeforeDeadline = settings.HIDE_COMPETITION_BEFORE_DEADLINE
    return [
      getDebugReport({
        ...reading,
        token,
        findVerdict,
        findTokens: (tokens) => findTokenWords({ network, database, rpcUrl }, tokens),
        now: Date.now,
        orderAppData: settings.ORDER_APP_DATA,
      }),
      getReceipt({ ...reading, hideBeforeDeadline, privateKey: settings.RECEIPT_PRIVATE_KEY }),
      getSolverCompetition({ ...reading, finalBlocks: network.finality.finalBlocks, hideBeforeDeadline, token }),
      getAuctions({ ...reading, hideBeforeDeadline }),
      getSolver({
        ...reading,
        hideBeforeDeadline,
        wrappedNative: network.wrappedNative,
        knownSolvers: settings.SOLVERS,
      }),
      getAuction(reading),
      getFees({ database, chainId, token }),
      pauseRoutes({ database, chainId, token, solvers: settings.SOLVERS }),
      postSimulation(dryRunDeps),
      getSimulation(dryRunDeps),
      settlementSimulation(dryRunDeps),
    ]
  },
  probes: ({ DATABASE_URL, RPC_URL }) => ({
    database: () => checkDatabase(connectDatabase(DATABASE_URL)),
    rpc: () => connectChain(RPC_URL).getChainId(),
  }),
})

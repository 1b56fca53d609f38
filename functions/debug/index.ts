import { connectDatabase } from '#schema/client.ts'
import { findTokenWords } from '#schema/findTokenWords.ts'
import { checkDatabase } from '#schema/queries/checkDatabase.ts'
import { selectCurrentAuction } from '#schema/queries/currentAuction.ts'
import { selectDebugReport } from '#schema/queries/debugReport.ts'
import { selectDryRunFacts, selectStoredDryRunFacts } from '#schema/queries/dryRunFacts.ts'
import {
  selectLatestAuctionId,
  selectSettledAuctionId,
  selectSolverCompetition,
} from '#schema/queries/solverCompetition.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { simulateCalls } from '#shared/chain/simulateCalls.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { findFaultOfTokens, type TokenFaults } from '#shared/tokens/checkTokenFaults.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import { createVerdictFinder } from './createVerdictFinder.ts'
import { findExecutablePrice } from './findExecutablePrice.ts'
import { getAuction } from './getAuction.ts'
import { getDebugReport } from './getDebugReport.ts'
import { getSimulation } from './getSimulation.ts'
import { getSolverCompetition } from './getSolverCompetition.ts'
import { postSimulation } from './postSimulation.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { settlementSimulation } from './settlementSimulation.ts'
import { type DryRunDeps, findStoredVerdict } from './simulateOrder.ts'

/** Longest wait for the proof that a token loses amounts. */
const tokenTimeoutMs = 1_500

const now = (): number => Math.floor(Date.now() / 1_000)

const buildDryRunDeps = ({ NETWORK: network, RPC_URL, ...rules }: Settings): DryRunDeps => {
  const { chainId, wrappedNative, settlementContract } = network
  const database = connectDatabase(rules.DATABASE_URL)
  const simulate = simulateCalls(RPC_URL)
  const balanceLayouts: BalanceLayouts = new Map()
  const tokenFaults: TokenFaults = new Map()
  return {
    network,
    domainSeparator: computeDomainSeparator(chainId, settlementContract),
    bannedUsers: new Set(rules.BANNED_USERS),
    unsupportedTokens: new Set(rules.UNSUPPORTED_TOKENS),
    maxGas: rules.MAX_GAS_PER_ORDER,
    minValiditySeconds: rules.MIN_VALIDITY_SECONDS,
    outOfMarketBps: rules.OUT_OF_MARKET_BPS,
    simulate,
    findTokenFault: (tokens) => {
      const signal = AbortSignal.timeout(tokenTimeoutMs)
      const findLayout = createLayoutFinder({ simulate, balanceLayouts }, signal)
      return findFaultOfTokens({ network, simulate, now: Date.now, tokenFaults }, tokens, signal, findLayout)
    },
    connect: () => connectChain(RPC_URL),
    findPrice: findExecutablePrice(rules.QUOTES),
    now,
    selectFacts: (query) => selectDryRunFacts(database, chainId, wrappedNative, query),
    selectStoredFacts: (uid) => selectStoredDryRunFacts(database, chainId, wrappedNative, uid),
  }
}

export default createWorker({
  settings: settingsSchema,
  routes: (settings) => {
    const { NETWORK: network, RPC_URL: rpcUrl, DEBUG_TOKEN: token } = settings
    const { chainId } = network
    const database = connectDatabase(settings.DATABASE_URL)
    const dryRunDeps = buildDryRunDeps(settings)
    const findFindings = createVerdictFinder(Date.now, (uid) => findStoredVerdict(dryRunDeps, uid))
    return [
      getDebugReport({
        token,
        findReport: (uid) => selectDebugReport(database, chainId, uid),
        findFindings,
        findTokens: (tokens) => findTokenWords({ network, database, rpcUrl }, tokens),
        now,
        orderAppData: settings.ORDER_APP_DATA,
      }),
      getSolverCompetition({
        hideBeforeDeadline: settings.HIDE_COMPETITION_BEFORE_DEADLINE,
        token,
        findLatestAuctionId: (onlyPast) => selectLatestAuctionId(database, chainId, onlyPast),
        findSettledAuctionId: (transactionHash) => selectSettledAuctionId(database, chainId, transactionHash),
        findCompetition: (auctionId, onlyPast) => selectSolverCompetition(database, chainId, auctionId, onlyPast),
      }),
      getAuction({ findCurrentAuction: () => selectCurrentAuction(database, chainId) }),
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

import { z } from 'zod'
import { connectDatabase } from '#schema/client.ts'
import { selectCurrentAuction } from '#schema/queries/auctions/currentAuction.ts'
import {
  selectLatestAuctionId,
  selectSettledAuctionId,
  selectSolverCompetition,
} from '#schema/queries/auctions/solverCompetition.ts'
import { selectDebugReport } from '#schema/queries/debug/debugReport.ts'
import { selectDryRunFacts, selectStoredDryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { findTokenWords } from '#schema/queries/tokens/findTokenWords.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import { orderAppDataSchema } from '#shared/orders/orderResponse.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { findFaultOfTokens, type TokenFaults } from '#shared/tokens/checkTokenFaults.ts'
import { createLayoutFinder } from '#shared/tokens/createLayoutFinder.ts'
import type { BalanceLayouts } from '#shared/tokens/findBalanceLayout.ts'
import { addressListSchema } from '#shared/validation/addressList.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkSchema } from '#shared/validation/network.ts'
import { getAuction } from './competition/getAuction.ts'
import { getSolverCompetition } from './competition/getSolverCompetition.ts'
import { createVerdictFinder } from './createVerdictFinder.ts'
import { getDebugReport } from './report/getDebugReport.ts'
import { findExecutablePrice, type QuotesWorker } from './simulation/findExecutablePrice.ts'
import { getSimulation } from './simulation/getSimulation.ts'
import { postSimulation } from './simulation/postSimulation.ts'
import { settlementSimulation } from './simulation/settlementSimulation.ts'
import { type DryRunDeps, findStoredVerdict } from './simulation/simulateOrder.ts'

const settings = z
  .object({
    NETWORK: networkSchema,
    DATABASE_URL: databaseUrlSchema,
    RPC_URL: z.url({ error: 'the URL of a JSON-RPC endpoint' }),
    /** as of the orders Worker, so that a dry run says what placing the order would */
    BANNED_USERS: addressListSchema.default([]),
    UNSUPPORTED_TOKENS: addressListSchema.default([]),
    MAX_GAS_PER_ORDER: z.coerce.bigint().positive().default(8_000_000n),
    /** as of the auctions Worker, so that a dry run says what the cut would */
    MIN_VALIDITY_SECONDS: z.coerce.number().int().nonnegative().default(60),
    OUT_OF_MARKET_BPS: z.coerce.number().int().nonnegative().default(5_000),
    /** the quotes Worker; without it no limit is compared with an executable price */
    QUOTES: z.custom<QuotesWorker>().optional(),
    DEBUG_TOKEN: z.string().min(1).optional(),
    /** `true`: a solver competition is public only once its winners can settle no more */
    HIDE_COMPETITION_BEFORE_DEADLINE: z.stringbool().default(false),
    /** as of the orders Worker */
    ORDER_APP_DATA: orderAppDataSchema,
  })
  .transform(({ NETWORK, DATABASE_URL, DEBUG_TOKEN, ...others }) => ({
    network: NETWORK,
    chainId: NETWORK.chainId,
    database: connectDatabase(DATABASE_URL),
    token: DEBUG_TOKEN,
    ...others,
  }))

/** Longest wait for the proof that a token loses amounts. */
const tokenTimeoutMs = 1_500

type Settings = z.output<typeof settings>

const now = (): number => Math.floor(Date.now() / 1_000)

const buildDryRunDeps = ({ network, database, RPC_URL, ...rules }: Settings): DryRunDeps => {
  const { chainId, wrappedNative, settlementContract } = network
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
  settings,
  routes: (parsed) => {
    const { chainId, database, token } = parsed
    const dryRunDeps = buildDryRunDeps(parsed)
    const findFindings = createVerdictFinder(Date.now, (uid) => findStoredVerdict(dryRunDeps, uid))
    return [
      getDebugReport({
        token,
        findReport: (uid) => selectDebugReport(database, chainId, uid),
        findFindings,
        findTokens: (tokens) => findTokenWords({ network: parsed.network, database, rpcUrl: parsed.RPC_URL }, tokens),
        now,
        orderAppData: parsed.ORDER_APP_DATA,
      }),
      getSolverCompetition({
        hideBeforeDeadline: parsed.HIDE_COMPETITION_BEFORE_DEADLINE,
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
  probes: ({ database, RPC_URL }) => ({
    database: () => checkDatabase(database),
    rpc: () => connectChain(RPC_URL).getChainId(),
  }),
})

import { zeroAddress } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { nativeSentinel, wrapToken } from '#shared/networks.ts'
import type { DriverQuote, DriverQuoteQuery, SolutionId } from '#shared/solvers/driverApi.ts'
import { SolverError } from '#shared/solvers/requestSolver.ts'
import { DriverError } from '../DriverError.ts'
import type { FindQuoteMarket } from '../pools/createQuoteMarket.ts'
import { memoizePaths } from '../routing/memoizePaths.ts'
import type { RoutingDeps } from '../solutions/findQuote.ts'
import { buildEngineAuction, listTokens } from './buildEngineAuction.ts'
import { buildInteractions, sumAllowances } from './buildInteractions.ts'
import { listPools } from './buildLiquidity.ts'
import type { Engine } from './connectEngine.ts'
import { EngineFault, type EngineOrderBody, type EngineSolution, toFailureNotice } from './engineApi.ts'
import { findAllowances, findTokenFacts } from './findTokenFacts.ts'
import { readEngineSolutions } from './readEngineSolutions.ts'

/** part of the time to the deadline at which an engine must have responded */
const engineShare = 0.8
/** limit of a buy order that any price meets, sell token atoms; its products stay below 2^256 */
const anySellAmount = 2n ** 144n

export type EngineQuoteDeps = RoutingDeps & {
  engine: Engine
  /** clock, Unix milliseconds */
  now: () => number
  /** continues notifications after the response */
  background: (work: Promise<unknown>) => void
}

/**
 * The quote of an engine: its first solution of an auction with one order that accepts any price. Without one the engine is
 * notified of the first fault.
 * @param timeLeftMs to the deadline, milliseconds
 * @throws DriverError `QuoteSameTokens`; `QuotingFailed` when the engine has no solution; its own error kinds; `Unavailable` when it
 *   does not respond; viem errors when the node fails
 */
export const findEngineQuote = async (
  client: ChainClient,
  findMarket: FindQuoteMarket,
  { network, engine, now, background, ...deps }: EngineQuoteDeps,
  query: DriverQuoteQuery,
  timeLeftMs: number,
): Promise<DriverQuote> => {
  const deadlineMs = Math.floor(now() + timeLeftMs * engineShare)
  const { sellToken, kind, amount } = query
  const buyToken = wrapToken(query.buyToken, network.wrappedNative)
  if (sellToken === query.buyToken) throw new DriverError('QuoteSameTokens', 'sell token and buy token are the same')
  if (sellToken === nativeSentinel) throw new DriverError('QuotingFailed', 'the native token is sold wrapped')
  const paths = memoizePaths(network.wrappedNative, deps.strategy, deps.baseTokens)(sellToken, buyToken)
  const factories = { uniswapV2Factory: deps.factory, uniswapV3Factory: network.uniswapV3.factory }
  const { pools: known, gasPrice } = await findMarket(client, factories, paths, timeLeftMs)
  const keys = new Set(paths.flat())
  const pools = listPools(known).filter(({ token0, token1 }) => keys.has(token0) && keys.has(token1))
  const orders = [buildQuotedOrder({ sellToken, buyToken, kind, amount })]
  const tokens = await findTokenFacts(client, network.settlementContract, listTokens(orders, pools))
  const auction = { id: null, tokens: [], surplusCapturingJitOrderOwners: [] }
  const body = buildEngineAuction(auction, { network, orders, pools, tokens, gasPrice, deadlineMs })
  const solution = await requestSolution({ engine, background }, body, deadlineMs - now())
  const [sellPrice, buyPrice] = [solution.prices[sellToken], solution.prices[buyToken]]
  if (!sellPrice || !buyPrice)
    throw new DriverError('QuotingFailed', 'a clearing price of the engine is missing or zero')
  const holder = network.settlementContract
  const allowed = await findAllowances(client, holder, sumAllowances(solution.interactions))
  const bought = kind === 'buy' ? amount : (amount * sellPrice + buyPrice - 1n) / buyPrice
  const paidOut = query.buyToken === nativeSentinel ? bought : 0n
  return {
    clearingPrices: { [sellToken]: sellPrice, [query.buyToken]: buyPrice },
    preInteractions: solution.preInteractions,
    interactions: toCalls(() => buildInteractions(solution.interactions, pools, allowed, network, paidOut)),
    solver: deps.solver,
    gas: solution.gas ?? undefined,
    tolerancePpm: 0,
  }
}

const toCalls = (build: () => DriverQuote['interactions']): DriverQuote['interactions'] => {
  try {
    return build()
  } catch (error) {
    if (error instanceof EngineFault) throw new DriverError('QuotingFailed', error.message)
    throw error
  }
}

const requestSolution = async (
  { engine, background }: Pick<EngineQuoteDeps, 'engine' | 'background'>,
  body: Parameters<Engine['solve']>[0],
  timeoutMs: number,
): Promise<EngineSolution> => {
  const faults: [SolutionId | null, EngineFault][] = []
  const response = await engine.solve(body, timeoutMs).catch((error: unknown) => {
    if (!(error instanceof SolverError)) throw error
    background(engine.notify(null, null, toFailureNotice(error)))
    throw new DriverError('Unavailable', `the engine failed: ${error.kind}: ${error.message}`)
  })
  const solution = readEngineSolutions(response, (id, fault) => faults.push([id, fault])).find(
    ({ trades }) => trades.length > 0,
  )
  if (solution) return solution
  const [first] = faults
  if (first) background(engine.notify(null, first[0], first[1].notice))
  throw new DriverError('QuotingFailed', first?.[1].message ?? 'the engine has no solution')
}

/** An order without an owner that accepts any price. */
const buildQuotedOrder = ({
  sellToken,
  buyToken,
  kind,
  amount,
}: Pick<DriverQuoteQuery, 'sellToken' | 'buyToken' | 'kind' | 'amount'>): EngineOrderBody => {
  const [sellAmount, buyAmount] = kind === 'sell' ? [amount, 1n] : [anySellAmount, amount]
  return {
    uid: `0x${'00'.repeat(56)}`,
    ...{ sellToken, buyToken, kind },
    ...{ sellAmount: String(sellAmount), fullSellAmount: String(sellAmount) },
    ...{ buyAmount: String(buyAmount), fullBuyAmount: String(buyAmount) },
    validTo: 0xffffffff,
    owner: zeroAddress,
    partiallyFillable: false,
    ...{ preInteractions: [], postInteractions: [] },
    ...{ sellTokenSource: 'erc20', buyTokenDestination: 'erc20', class: 'market' },
    appData: `0x${'00'.repeat(32)}`,
    ...{ signingScheme: 'eip1271', signature: '0x' },
  }
}

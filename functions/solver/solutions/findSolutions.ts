import type { AccessList, Address, Hex } from 'viem'
import { auctionPriceScale } from '#shared/amounts/toAuctionPrice.ts'
import { createPayoutAccess } from '#shared/chain/calls/createPayoutAccess.ts'
import type { Simulate } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { findDataFee } from '#shared/chain/findDataFee.ts'
import { computeNextGasPrice } from '#shared/chain/findNextGasPrice.ts'
import { toNextBlock } from '#shared/chain/nextBlock.ts'
import { buildTypicalSettlement } from '#shared/fees/buildTypicalSettlement.ts'
import { computeDataGas } from '#shared/fees/computeDataGas.ts'
import { describeError } from '#shared/http/describeError.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { toBeneficiary } from '#shared/orders/toBeneficiary.ts'
import type { AuctionOrder, SolveRequest } from '#shared/solvers/driverApi.ts'
import { type Batch, toRequest } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { buildBatches } from '../batches/buildBatches.ts'
import { buildBestBatch } from '../batches/buildSplitBatch.ts'
import { canConvertFees } from '../batches/convertFees.ts'
import { withTolerance } from '../batches/listPairRoutes.ts'
import { buildMatches } from '../matching/buildMatches.ts'
import type { BlockMemory } from '../pools/createBlockMemory.ts'
import { findPools } from '../pools/findPools.ts'
import type { Pools } from '../pools/pool.ts'
import { listReadPaths, memoizePaths } from '../routing/memoizePaths.ts'
import { describeShortage, findSendingTerms } from '../sending/findSendingTerms.ts'
import { buildDraft, type SolutionDraft } from './buildDraft.ts'
import { buildFallback } from './buildFallback.ts'
import { buildJointSolution } from './buildJointSolution.ts'
import { buildSettlement } from './buildSettlement.ts'
import { buildSolution, type Solution } from './buildSolution.ts'
import type { Turns } from './createTurns.ts'
import { findFunds } from './findFunds.ts'
import { findHookedFunds } from './findHookedFunds.ts'
import type { RoutingDeps } from './findQuote.ts'
import { findRevertReason } from './findRevertReason.ts'
import { isSettleable } from './isSettleable.ts'

/** maximum number of proposed batches, the best ones that settle; also the number of concurrent simulations */
const maxBatches = 10
/** maximum number of simulated batches: batches of hostile orders promise the most and revert, and then yield their turn */
const maxSimulatedBatches = 50

/** maximum number of simulated matches, until one of each pair settles */
const maxMatches = 20

export interface SolvingDeps extends RoutingDeps {
  simulate: Simulate
  /** facts of the newest block */
  memory: BlockMemory
  turns: Turns
  /** whether settlements of the account are pending: pools are then read, and solutions simulated, after them */
  isSettling: () => Promise<boolean>
}

/** A solution and the transaction that settles it. */
export interface EncodedSolution extends Solution {
  calldata: Hex
  accessList: AccessList
  /** fallback for pools whose prices have moved */
  fallback: Hex
  /** for computing it again when it is settled */
  draft: SolutionDraft | undefined
  /** number of earlier auctions in a row that simulated its orders, see `createTurns` */
  earlier: number
}

/**
 * Finds solutions for an auction: per directed pair the orders that can be filled at one price, per pair matches of
 * opposite orders, and one joint solution for several pairs (`buildBatches`, `buildMatches`, `buildJointSolution`).
 * Every solution is simulated in the next block, or in the pending one while settlements of the account are in flight,
 * as it would be sent, with the solver's account, fee cap and tip. A batch that reverts is split: its orders
 * are simulated individually, and those that pass form a new batch, so that one bad order does not block the others.
 * An order whose settlement failed before is proposed alone.
 *
 * Several solutions may use the same pool, each computed as if it came first, and third parties trade as well. A
 * settlement that no longer passes at the pools' prices pays them part of its network fees (`buildFallback`); if that
 * is insufficient, it is not sent, and its orders wait for the next auction.
 * @param nowMs clock, Unix milliseconds
 * @param report receives each solution once its simulation has passed
 */
export const findSolutions = async (
  client: ChainClient,
  deps: SolvingDeps,
  auction: SolveRequest,
  nowMs: number,
  report: (solution: EncodedSolution) => void,
): Promise<void> => {
  const settleable = auction.orders.filter((order) => isSettleable(order, nowMs))
  const buildMarketPaths = memoizePaths(deps.network.wrappedNative, deps.strategy, deps.baseTokens)
  const paths = listReadPaths(settleable, buildMarketPaths, deps.network.wrappedNative)
  const { settlementContract, wrappedNative, vaultRelayer, uniswapV3 } = deps.network
  const factories = { uniswapV2Factory: deps.factory, uniswapV3Factory: uniswapV3.factory }
  const [terms, isSettling] = await Promise.all([findSendingTerms(client, deps.solver), deps.isSettling()])
  const head = BigInt(terms.head)
  const facts = deps.memory.recall({ number: head, hash: terms.hash })
  const pending = isSettling ? await findPendingPools(client, factories, paths, terms.head) : undefined
  const findPayoutAccess = createPayoutAccess(client, settlementContract)
  const [pools, dataFee, plainFunds, hookedFunds] = await Promise.all([
    pending ?? findPools(client, factories, paths, { blockNumber: head }, facts.pools, terms.head),
    findDataFee(client, deps.network, buildTypicalSettlement()),
    findFunds(client, vaultRelayer, settleable, terms.head),
    findHookedFunds(deps.simulate, deps.network, settleable, terms.head),
    // most auctions have no more receivers than this finds, and their settlements then wait for none
    findPayoutAccess(listPayees(settleable)),
  ])
  const shortage = describeShortage(terms)
  if (shortage !== undefined) {
    console.error(JSON.stringify({ message: 'no solutions: settlements cannot be paid for', cause: shortage }))
    return
  }
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = terms
  const next = toNextBlock(terms, deps.network.blockTimeSeconds)
  const gasPrice = computeNextGasPrice(terms)
  const prices = readPrices(auction, deps)
  const feeTokens = readFeeTokens(prices, deps)
  const isPayable = ({ sellToken }: AuctionOrder) => canConvertFees({ pools, feeTokens }, sellToken)
  const orders = settleable.filter(isPayable)
  if (orders.length < settleable.length)
    logDeclined(
      auction.id,
      settleable.filter((order) => !isPayable(order)),
    )
  const funds = new Map([...plainFunds, ...hookedFunds])
  const market: BatchMarket = {
    pools,
    gasPrice,
    dataGas: computeDataGas(dataFee, gasPrice),
    buildPaths: buildMarketPaths,
    prices,
    wrappedNative,
    feeTokens,
    funds,
    tolerance: deps.tolerance,
  }
  const auctionId = BigInt(auction.id)
  const countEarlier = deps.turns.begin(auction.orders)
  const ordersOf = ({ fills }: Batch) => fills.map(({ order }) => order)

  const simulate = async (solution: Solution | undefined): Promise<EncodedSolution | undefined> => {
    if (!solution) return undefined
    const calldata = buildSettlement(solution, auctionId, deps.network)
    const settled = solution.batches.flatMap(ordersOf)
    const accessList = [...(await findPayoutAccess(listPayees(settled))).values()].flat()
    const state = pending && ({ blockTag: 'pending' } as const)
    const call = { account: deps.solver, to: settlementContract, data: calldata, accessList, ...state }
    const sending = { gas, maxFeePerGas, maxPriorityFeePerGas }
    const reason = await findRevertReason(client, { ...call, ...sending }, pending ? undefined : next)
    if (reason === undefined) {
      const fallback = buildSettlement(buildFallback(solution, wrappedNative), auctionId, deps.network)
      const earlier = countEarlier(settled)
      return { ...solution, calldata, accessList, fallback, draft: buildDraft(solution, market), earlier }
    }
    console.log(JSON.stringify({ message: 'solution reverts', auctionId: auction.id, reason }))
    return undefined
  }
  const simulateBatch = (batch: Batch | undefined) => simulate(batch && buildSolution([batch], wrappedNative))
  const repairBatch = async ({ fills, tolerance }: Batch): Promise<EncodedSolution | undefined> => {
    if (fills.length === 1) return undefined
    const same = withTolerance(market, tolerance)
    const requests = fills.map(toRequest)
    const singles = await Promise.all(requests.map((request) => simulateBatch(buildBestBatch(same, [request]))))
    const passed = requests.filter((_, i) => singles[i])
    const repaired = passed.length > 1 ? await simulateBatch(buildBestBatch(same, passed)) : undefined
    return repaired ?? singles.find((single) => single !== undefined)
  }
  const failures: unknown[] = []
  /** A simulation that fails because of the node does not affect the others. */
  const orNothing = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      failures.push(error)
      console.error(JSON.stringify({ message: 'no simulation', auctionId: auction.id, cause: describeError(error) }))
      return undefined
    }
  }
  const trySettling = async (batch: Batch) => (await simulateBatch(batch)) ?? (await repairBatch(batch))
  const settleBatch = async (batch: Batch): Promise<Batch[]> => {
    deps.turns.note(ordersOf(batch))
    const solution = await orNothing(trySettling(batch))
    if (solution) report(solution)
    return solution ? solution.batches : []
  }

  const settleBatches = async (of: readonly AuctionOrder[]): Promise<Batch[]> => {
    const settled: Batch[] = []
    const batches = buildBatches(market, of)
      .sort((a, b) => countEarlier(ordersOf(a)) - countEarlier(ordersOf(b)))
      .slice(0, maxSimulatedBatches)
    for (let next = 0; next < batches.length && settled.length < maxBatches; next += maxBatches)
      settled.push(...(await Promise.all(batches.slice(next, next + maxBatches).map(settleBatch))).flat())
    return settled
  }
  const together = orders.filter(({ settleAlone }) => !settleAlone)
  const alone = orders.filter(({ settleAlone }) => settleAlone)
  const [settled, settledAlone] = await Promise.all([settleBatches(together), settleBatches(alone)])
  const matched = new Map<string, Batch>()
  for (const { pair, match } of buildMatches(market, together, settled, wrappedNative).slice(0, maxMatches)) {
    const solution = matched.has(pair) ? undefined : await orNothing(simulateBatch(match))
    if (!solution) continue
    report(solution)
    matched.set(pair, match)
  }
  if (failures.length > 0 && settled.length + settledAlone.length + matched.size === 0) throw failures[0]
  const joint = await simulate(buildJointSolution([...matched.values(), ...settled], wrappedNative))
  if (joint) report(joint)
}

/** Receivers of the native token. */
export const listPayees = (orders: readonly AuctionOrder[]): Address[] =>
  orders.filter(({ buyToken }) => buyToken === nativeSentinel).map(toBeneficiary)

/** declined orders that one auction names in the log */
const maxNamed = 10

const logDeclined = (auctionId: string, declined: readonly AuctionOrder[]): void => {
  const uids = declined.slice(0, maxNamed).map(({ uid }) => uid)
  const message = 'no solutions for orders: their fees cannot be turned into the native token or a base token'
  console.log(JSON.stringify({ message, auctionId, count: declined.length, uids }))
}

/** The wrapped native token, and the base tokens that have a price. */
const readFeeTokens = (
  prices: ReadonlyMap<Address, bigint>,
  { baseTokens, network: { wrappedNative } }: RoutingDeps,
): Map<Address, bigint> => {
  const feeTokens = new Map([[wrappedNative, auctionPriceScale]])
  for (const token of baseTokens) {
    const price = prices.get(token)
    if (price !== undefined && token !== wrappedNative) feeTokens.set(token, price)
  }
  return feeTokens
}

/** @returns undefined when the node has no pending block */
const findPendingPools = async (
  client: ChainClient,
  factories: Parameters<typeof findPools>[1],
  paths: Iterable<Address[]>,
  turn: number,
): Promise<Pools | undefined> => {
  try {
    return await findPools(client, factories, paths, { blockTag: 'pending' }, undefined, turn)
  } catch (error) {
    console.warn(JSON.stringify({ message: 'no pending pools', cause: describeError(error) }))
    return undefined
  }
}

/** upper bound of plausible prices, below which no score overflows */
const maxPrice = 2n ** 128n

/** Plausible prices of an auction, wei per 10^18 atoms; the native token has that of the wrapped one. */
export const readPrices = (
  { tokens }: Pick<SolveRequest, 'tokens'>,
  { network }: Pick<RoutingDeps, 'network'>,
): Map<Address, bigint> => {
  const prices = new Map<Address, bigint>()
  for (const { address, price } of tokens) {
    if (price !== null && price > 0n && price < maxPrice) prices.set(address, price)
  }
  const nativePrice = prices.get(nativeSentinel) ?? prices.get(network.wrappedNative)
  if (nativePrice !== undefined) prices.set(nativeSentinel, nativePrice)
  return prices
}

import type { Address, Hex } from 'viem'
import { selectListedUids } from '#schema/queries/auctions/listedOrders.ts'
import {
  selectAuctionsWonWith,
  selectWinningSolutions,
  type WinningSolution,
} from '#schema/queries/auctions/solutions.ts'
import type { ChainEvents } from '#schema/queries/chain/chainEvents.ts'
import { describeError } from '#shared/http/describeError.ts'
import { findAllowedSolvers } from '../chain/findAllowedSolvers.ts'
import { findBlockTimes } from '../chain/findBlockTimes.ts'
import type { ClockDeps } from '../clockDeps.ts'
import type { RawChainEvents } from '../indexing/findChainEvents.ts'
import { attributeSettlement } from './attributeSettlement.ts'
import { buildJitOrder } from './buildJitOrder.ts'
import { type DecodedSettlement, decodeSettlement } from './decodeSettlement.ts'
import { findSettleCalls, type SettleCall } from './findSettleCalls.ts'

export type AttributionDeps = Pick<ClockDeps, 'network' | 'database' | 'chain' | 'log'>

/** Attributed settlements and their effects. */
export type Attributions = Pick<ChainEvents, 'settlements' | 'executions' | 'jitOrders'>

/** Failed traces by transaction: an untraceable transaction must not stop the clock. */
export type TraceFailures = Map<Hex, number>

type RawSettlement = RawChainEvents['settlements'][number] & { trades: RawChainEvents['trades'] }
/** Origin of a settlement: its decoded `settle` call and its solver. */
type Origin = { solver: Address; decoded: DecodedSettlement | undefined }

const maxTraceFailures = 3

/**
 * Attributes settlements to their auctions. Auction and fees are read from the calldata of `settle`, either of the
 * transaction itself or, when another contract made the call, from its trace. A settlement without attribution is
 * foreign, but its trades still count. A solution is settled once; a repeated settlement of it is foreign. A settlement
 * that pays an order less than promised is attributed with both amounts.
 * @param fromBlock first block of the events; solutions settled earlier are unavailable
 * @throws Error when the node or the database fails
 */
export const attributeSettlements = async (
  deps: AttributionDeps,
  failures: TraceFailures,
  raw: RawChainEvents,
  fromBlock: number,
): Promise<Attributions> => {
  const { network, database } = deps
  const settled = raw.settlements.map((settlement) => ({
    ...settlement,
    trades: raw.trades.filter(
      (trade) => trade.blockNumber === settlement.blockNumber && trade.settlementLogIndex === settlement.logIndex,
    ),
  }))
  const direct = settled.filter((settlement) => isDirect(settlement, settled, network.settlementContract))
  const nested = settled.filter((settlement) => !direct.includes(settlement))
  const blockNumbers = settled.map(({ blockNumber }) => blockNumber)
  const timeOf = await findBlockTimes(deps.chain, blockNumbers, raw.blocks)
  const origins = new Map<RawSettlement, Origin>(
    direct.map((settlement) => [
      settlement,
      { solver: settlement.solver, decoded: decodeSettlement(settlement.transaction.input) },
    ]),
  )
  const wonWith = await selectAuctionsWonWith(database, network.chainId, nested.flatMap(toUids))
  const auctionIds = [...new Set([...origins.values()].flatMap(toAuctionId).concat(wonWith))]
  const winners = await selectWinningSolutions(database, network.chainId, auctionIds, fromBlock)
  for (const [settlement, origin] of await traceNested(deps, failures, nested, winners)) origins.set(settlement, origin)

  const listed = await findListed(deps, settled, winners)
  const found: Attributions = { settlements: [], executions: [], jitOrders: [] }
  const open = new Set(winners)
  for (const settlement of settled) {
    const origin = origins.get(settlement) ?? { solver: settlement.solver, decoded: undefined }
    const attribution = attributeSettlement({ ...settlement, ...origin }, [...open], (uid) => listed.has(uid))
    const winner = attribution?.winner
    const { blockNumber, logIndex, transaction, trades } = settlement
    found.settlements.push({
      blockNumber,
      logIndex,
      transactionHash: transaction.hash,
      settledAt: timeOf(blockNumber),
      solver: origin.solver,
      auctionId: winner?.auctionId ?? null,
      solutionUid: winner?.solutionUid ?? null,
      mismatch: attribution && attribution.mismatch.length > 0 ? attribution.mismatch : null,
      gasUsed: transaction.gasUsed,
      effectiveGasPrice: transaction.effectiveGasPrice,
    })
    if (!attribution || !winner) continue
    open.delete(winner)
    const sellTokens = new Map(trades.map(({ orderUid, sellToken }) => [orderUid, sellToken]))
    for (const { orderUid, executedFee, protocolFees } of attribution.executedFees) {
      const executedFeeToken = sellTokens.get(orderUid)
      if (!executedFeeToken) continue
      const execution = { auctionId: winner.auctionId, orderUid, blockNumber }
      found.executions.push({ ...execution, executedFee, executedFeeToken, protocolFees })
    }
    found.jitOrders.push(...buildJitOrders(deps, timeOf(blockNumber), settlement, origin, winner))
  }
  return found
}

const toUids = ({ trades }: RawSettlement): Hex[] => trades.map(({ orderUid }) => orderUid)

/** Traded orders that are stored: orders of winners are known, so most blocks need no query. */
const findListed = async (
  { database, network }: AttributionDeps,
  settled: readonly RawSettlement[],
  winners: readonly WinningSolution[],
): Promise<ReadonlySet<Hex>> => {
  if (winners.length === 0) return new Set()
  const won = winners.flatMap(({ orders }) => orders)
  const known = new Set(won.map(({ uid }) => uid))
  const others = settled.flatMap(toUids).filter((uid) => !known.has(uid))
  const listed = await selectListedUids(database, network.chainId, others)
  return new Set([...listed, ...won.flatMap(({ uid, isJit }) => (isJit ? [] : [uid]))])
}

/** The transaction itself is the only `settle` call. */
const isDirect = (
  { transaction: { hash, to } }: RawSettlement,
  settled: readonly RawSettlement[],
  settlementContract: Address,
): boolean => to === settlementContract && settled.filter(({ transaction }) => transaction.hash === hash).length === 1

const toAuctionId = ({ decoded }: Origin): number[] => {
  const id = Number(decoded?.auctionId ?? -1)
  return Number.isSafeInteger(id) && id >= 0 ? [id] : []
}

/** Traces transactions that trade an order of a winner; all others are foreign in any case. */
const traceNested = async (
  deps: AttributionDeps,
  failures: TraceFailures,
  nested: readonly RawSettlement[],
  winners: readonly WinningSolution[],
): Promise<Map<RawSettlement, Origin>> => {
  const origins = new Map<RawSettlement, Origin>()
  const won = new Set(winners.flatMap(({ orders }) => orders.map(({ uid }) => uid)))
  const promising = nested.filter(({ trades }) => trades.some(({ orderUid }) => won.has(orderUid)))
  for (const hash of new Set(promising.map(({ transaction }) => transaction.hash))) {
    const calls = await traceBounded(deps, failures, hash)
    const ofTransaction = nested.filter(({ transaction }) => transaction.hash === hash)
    if (calls?.length !== ofTransaction.length) {
      deps.log({ message: 'settlement not attributed', transaction: hash, calls: calls?.length ?? null })
      continue
    }
    const callers = [...new Set(calls.flatMap((call) => call.callers))]
    const allowed = await findAllowedSolvers(deps, { authenticator: undefined }, callers)
    for (const [i, settlement] of ofTransaction.entries()) {
      const call = calls[i]
      if (call) origins.set(settlement, toOrigin(call, settlement, allowed))
    }
  }
  return origins
}

/** The solver is the first allow-listed account on the path to the call. */
const toOrigin = (
  { input, callers }: SettleCall,
  { solver }: RawSettlement,
  allowed: ReadonlySet<Address>,
): Origin => ({ decoded: decodeSettlement(input), solver: callers.find((caller) => allowed.has(caller)) ?? solver })

/** @returns undefined when the node does not support tracing, or failed too often for this transaction */
const traceBounded = async (
  { chain, network, log }: AttributionDeps,
  failures: TraceFailures,
  hash: Hex,
): Promise<SettleCall[] | undefined> => {
  try {
    const calls = await findSettleCalls(chain, network.settlementContract, hash)
    failures.delete(hash)
    return calls
  } catch (error) {
    const failed = (failures.get(hash) ?? 0) + 1
    failures.set(hash, failed)
    if (failed < maxTraceFailures) throw error
    failures.delete(hash)
    log({ message: 'settlement cannot be traced', transaction: hash, cause: describeError(error) })
    return undefined
  }
}

/** Orders of a settlement that were in no auction. */
const buildJitOrders = (
  { network, log }: AttributionDeps,
  settledAt: Date,
  { trades }: RawSettlement,
  { decoded }: Origin,
  winner: WinningSolution,
): ChainEvents['jitOrders'] => {
  const unknown = new Set(winner.orders.filter(({ isJit }) => isJit).map(({ uid }) => uid))
  if (unknown.size === 0) return []
  return trades.flatMap((trade, i) => {
    const decodedTrade = decoded?.trades[i]
    if (!unknown.has(trade.orderUid) || !decodedTrade) return []
    const order = buildJitOrder(network, decodedTrade, trade, settledAt)
    if (!order) log({ message: 'calldata and event of a trade differ', order: trade.orderUid })
    return order ? [order] : []
  })
}

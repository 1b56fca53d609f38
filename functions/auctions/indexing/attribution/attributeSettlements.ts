import type { Address } from 'viem'
import {
  selectAuctionPrices,
  selectAuctionsWonWith,
  selectWinningSolutions,
} from '#schema/queries/auctions/solutions.ts'
import type { ChainEvents } from '#schema/queries/chain/chainUpdate.ts'
import type { Shortfall } from '#schema/tables/settlements/settlements.ts'
import { computeDebt } from '../../settlement/computeDebt.ts'
import { decodeSettlement } from '../../settlement/decodeSettlement.ts'
import { findBlockTimes } from '../chain/findBlockTimes.ts'
import type { RawChainEvents } from '../findChainEvents.ts'
import { type Attribution, attributeSettlement } from './attributeSettlement.ts'
import { buildJitOrders } from './buildJitOrders.ts'
import { findHookOutcomes } from './findHookOutcomes.ts'
import { findListedUids } from './findListedUids.ts'
import {
  type AttributionDeps,
  type Origin,
  type RawSettlement,
  type TraceFailures,
  traceNested,
} from './traceNested.ts'

/** Attributed settlements and their effects. */
export type Attributions = Pick<ChainEvents, 'settlements' | 'executions' | 'hookOutcomes' | 'jitOrders'>

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
  const findWinners = (ids: readonly number[]) => selectWinningSolutions(database, network.chainId, ids, fromBlock)
  const ids = new Set([...origins.values()].flatMap(toAuctionId))
  const named = await findWinners([...ids])
  const known = new Set(named.flatMap(({ orders }) => orders.map(({ uid }) => uid)))
  const strays = direct.filter(({ trades }) => !trades.some(({ orderUid }) => known.has(orderUid)))
  const traded = [...nested, ...strays].flatMap(({ trades }) => trades.map(({ orderUid }) => orderUid))
  const wonWith = await selectAuctionsWonWith(database, network.chainId, traded)
  const winners = [...named, ...(await findWinners(wonWith.filter((id) => !ids.has(id))))]
  for (const [settlement, origin] of await traceNested(deps, failures, nested, winners)) origins.set(settlement, origin)

  const listed = await findListedUids(deps, settled, winners)
  const found: Attributions = { settlements: [], executions: [], hookOutcomes: [], jitOrders: [] }
  const open = new Set(winners)
  const won: RawSettlement[] = []
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
      mismatch: attribution ? await findMismatch(deps, attribution, trades) : null,
      gasUsed: transaction.gasUsed,
      effectiveGasPrice: transaction.effectiveGasPrice,
    })
    if (!attribution || !winner) continue
    open.delete(winner)
    won.push(settlement)
    const sellTokens = new Map(trades.map(({ orderUid, sellToken }) => [orderUid, sellToken]))
    for (const { orderUid, executedFee, protocolFees } of attribution.executedFees) {
      const executedFeeToken = sellTokens.get(orderUid)
      if (!executedFeeToken) continue
      const execution = { auctionId: winner.auctionId, orderUid, blockNumber }
      found.executions.push({ ...execution, executedFee, executedFeeToken, protocolFees })
    }
    found.jitOrders.push(...buildJitOrders(deps, timeOf(blockNumber), settlement, origin, winner))
  }
  found.hookOutcomes = await findHookOutcomes(deps, won)
  return found
}

/** Shortfalls of a settlement with their debts; null without any. */
const findMismatch = async (
  { database, network }: AttributionDeps,
  { winner, mismatch }: Attribution,
  trades: RawSettlement['trades'],
): Promise<Shortfall[] | null> => {
  if (mismatch.length === 0) return null
  const prices = await selectAuctionPrices(database, network.chainId, winner.auctionId)
  return mismatch.map((shortfall) => {
    const trade = trades.find(({ orderUid }) => orderUid === shortfall.orderUid)
    return { ...shortfall, debt: String(trade ? computeDebt(shortfall, trade, prices) : 0n) }
  })
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

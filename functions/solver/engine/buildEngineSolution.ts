import type { Address, Hex } from 'viem'
import { mulDivCeil, mulDivFloor } from '#shared/amounts/mulDiv.ts'
import { type Network, nativeSentinel, wrapToken } from '#shared/networks.ts'
import type { AuctionOrder, SolutionId } from '#shared/solvers/driverApi.ts'
import { encodeSettlement } from '#shared/solvers/encodeSettlement.ts'
import { buildFill, type OrderFill } from '../fills/buildFill.ts'
import { ignoreOverflow } from '../fills/ignoreOverflow.ts'
import type { Pool } from '../pools/pool.ts'
import { toSettlementTrade } from '../solutions/buildSettlement.ts'
import { buildInteractions } from './buildInteractions.ts'
import { buildJitFill } from './buildJitFill.ts'
import { EngineFault, type EngineSolution, type EngineTrade } from './engineApi.ts'
import { listTouchedTokens } from './findTakenTokens.ts'

/** Facts of an auction that all solutions of an engine share. */
export type EngineMarket = {
  auctionId: bigint
  network: Network
  /** those that the engine received */
  orders: ReadonlyMap<Hex, AuctionOrder>
  /** by id of the liquidity that the engine received */
  pools: readonly Pool[]
  /** auction prices, wei per 10^18 atoms */
  prices: ReadonlyMap<Address, bigint>
  /** current allowances of the settlement contract, by `toAllowanceKey` */
  allowed: ReadonlyMap<string, bigint>
}

/** A solution of an engine, with the transaction that settles it. */
export type EngineProposal = {
  engineId: SolutionId
  fills: OrderFill[]
  /** wei */
  score: bigint
  calldata: Hex
  /** contracts whose tokens its calls could take, see `listTouchedTokens` */
  touched: Address[]
}

/**
 * Turns a solution of an engine into a settlement: executed amounts from its prices and network fees, protocol fees on
 * top, just-in-time orders at their limits, then the calls.
 * @throws EngineFault naming the first violated rule
 */
export const buildEngineSolution = (solution: EngineSolution, market: EngineMarket): EngineProposal => {
  const { network, orders, pools, allowed, auctionId } = market
  if (solution.trades.length === 0) throw new EngineFault({ kind: 'emptySolution' })
  if (Object.keys(solution.flashloans ?? {}).length > 0) throw unsupported('flash loans')
  if ((solution.wrappers ?? []).length > 0) throw unsupported('wrappers')
  const prices = new Map(Object.entries(solution.prices) as [Address, bigint][])
  const fills = solution.trades.map((trade) => {
    if (trade.kind !== 'jit') return buildOrderFill(trade, findOrder(orders, trade.order), prices, market)
    const fill = buildJitFill(trade.order, trade.executedAmount, network)
    if (!orders.has(fill.order.uid)) return fill
    // it would lose its fees, its hooks and its isolation from other owners
    throw new EngineFault({ kind: 'driverError', reason: `order ${fill.order.uid} is in the auction` })
  })
  const uids = new Set(fills.map(({ order }) => order.uid))
  if (uids.size < fills.length) throw new EngineFault({ kind: 'driverError', reason: 'an order is traded twice' })
  checkOwners(fills.filter(({ order }) => orders.has(order.uid)))
  const tokens = new Set(fills.flatMap(({ order }) => [order.sellToken, order.buyToken]))
  const uniformPrices = new Map<Address, bigint>()
  for (const token of tokens) {
    const price = prices.get(wrapToken(token, network.wrappedNative))
    if (price) uniformPrices.set(token, price)
  }
  const calldata = encodeSettlement({
    auctionId,
    uniformPrices,
    trades: fills.map(toSettlementTrade),
    interactions: {
      pre: [...solution.preInteractions, ...fills.flatMap(({ order }) => order.preInteractions)],
      intra: buildInteractions(solution.interactions, pools, allowed, network, sumPaidOut(fills)),
      post: [...solution.postInteractions, ...fills.flatMap(({ order }) => order.postInteractions)],
    },
  })
  const score = fills.reduce((sum, fill) => sum + fill.score, 0n)
  return {
    engineId: solution.id,
    fills,
    score,
    calldata,
    touched: listTouchedTokens(solution, [...tokens, network.wrappedNative]),
  }
}

const unsupported = (what: string) =>
  new EngineFault({ kind: 'driverError', reason: `settlements with ${what} are not supported` })

const findOrder = (orders: EngineMarket['orders'], uid: Hex): AuctionOrder => {
  const order = orders.get(uid)
  if (!order) throw new EngineFault({ kind: 'driverError', reason: `order ${uid} is not in the auction` })
  return order
}

/** An order that is not certain shares no settlement with orders of other owners, except just-in-time orders. */
const checkOwners = (fills: readonly OrderFill[]): void => {
  const single = fills.find(({ order }) => order.settleAlone)
  if (single && fills.some(({ order }) => order.owner !== single.order.owner)) {
    const reason = `order ${single.order.uid} must be settled without orders of other owners`
    throw new EngineFault({ kind: 'driverError', reason })
  }
}

/** wei that the settlement contract pays out */
const sumPaidOut = (fills: readonly OrderFill[]): bigint =>
  fills.reduce((sum, { order, executedBuy }) => sum + (order.buyToken === nativeSentinel ? executedBuy : 0n), 0n)

const buildOrderFill = (
  { executedAmount, fee }: Extract<EngineTrade, { kind: 'fulfillment' }>,
  order: AuctionOrder,
  prices: ReadonlyMap<Address, bigint>,
  market: EngineMarket,
): OrderFill => {
  const findClearingPrice = (token: Address): bigint => {
    const wrapped = wrapToken(token, market.network.wrappedNative)
    const price = prices.get(wrapped)
    if (price === undefined) throw new EngineFault({ kind: 'missingPrice', tokenAddress: wrapped })
    if (price === 0n) throw new EngineFault({ kind: 'invalidClearingPrices' })
    return price
  }
  const [sellPrice, buyPrice] = [findClearingPrice(order.sellToken), findClearingPrice(order.buyToken)]
  const exact = order.kind === 'sell' ? executedAmount + (fee ?? 0n) : executedAmount
  const remaining = (order.kind === 'sell' ? order.sellAmount : order.buyAmount) - order.executed
  if (exact === 0n || exact > remaining || (!order.partiallyFillable && exact !== remaining))
    throw new EngineFault({ kind: 'invalidExecutedAmount' })
  const gross = ignoreOverflow(() =>
    order.kind === 'sell'
      ? { executedSell: exact, executedBuy: mulDivCeil(executedAmount, sellPrice, buyPrice) }
      : { executedSell: mulDivFloor(exact, buyPrice, sellPrice) + (fee ?? 0n), executedBuy: exact },
  )
  const nativePrice = market.prices.get(order.buyToken)
  if (!nativePrice) throw new EngineFault({ kind: 'driverError', reason: `no price of ${order.buyToken}` })
  const fill = gross && ignoreOverflow(() => buildFill(order, gross, 0n, nativePrice))
  if (!fill) throw new EngineFault({ kind: 'driverError', reason: `order ${order.uid} is executed below its limit` })
  return fill
}

import type { Address } from 'viem'
import type { Network } from '../networks.ts'
import { isRefusal } from './collectResponses.ts'
import type { SolverPrice } from './computeConsensusPrice.ts'
import { computeNativeUnits } from './computeNativeUnits.ts'
import { type QuoteQuery, requestQuote } from './requestQuote.ts'
import { SolverError } from './requestSolver.ts'
import type { Solver } from './solverList.ts'

/** A solver's price of a token; `depth`: ethers that move at this price in both directions, 0: unknown. */
export type DepthPrice = SolverPrice & { depth: number }

/** Ethers, or native tokens worth as much, that a price request moves, largest first. */
const smallestUnits = 0.1
const tradedUnits = [3, 1, smallestUnits]
/** Both directions of a market differ by fees and depth, up to this factor. */
const spreadFactor = 1.25
/** Blocks between two quotes may let a market look crossed, up to this factor. */
const crossedFactor = 1.02

/**
 * One solver's price, from the largest traded amount at which both directions agree:
 *     bid = native / sold tokens      ask = native / bought tokens      price = min(bid, ask)
 * A bid above the ask is an arbitrage: one of the pools is not at the market. Without an amount at which both agree the
 * depth is 0, and the lower price counts: of the largest amount that is crossed, which a thin pool moves least,
 * otherwise of the smallest, so that tokens with little liquidity can be traded. One request at a time: a solver that
 * hangs occupies one connection.
 * @throws SolverError as `requestQuote`, of the sale of the token in the smallest amount
 */
export const requestDepthPrice = async (
  solver: Solver,
  network: Network,
  token: Address,
  limits: () => Parameters<typeof requestQuote>[2],
): Promise<DepthPrice> => {
  const { wrappedNative } = network
  const request = (query: Omit<QuoteQuery, 'amount'>, depth: number) =>
    requestQuote(solver, { ...query, amount: computeNativeUnits(network, depth) }, limits())
  const requestBid = async (depth: number): Promise<number> => {
    const query = { sellToken: token, buyToken: wrappedNative, kind: 'buy' } as const
    return Number(computeNativeUnits(network, depth)) / Number((await request(query, depth)).sellAmount)
  }
  const requestAsk = async (depth: number): Promise<number> => {
    const query = { sellToken: wrappedNative, buyToken: token, kind: 'sell' } as const
    return Number(computeNativeUnits(network, depth)) / Number((await request(query, depth)).buyAmount)
  }
  let smallestBid: number | undefined
  let crossed: number | undefined
  let last = { price: 0 }
  for (const depth of tradedUnits) {
    const bid =
      depth === smallestUnits ? (smallestBid ?? (await requestBid(depth))) : await orRefused(requestBid(depth))
    if (bid === undefined) {
      // throws without a route at any size
      smallestBid ??= await requestBid(smallestUnits)
      continue
    }
    const ask = await orRefused(requestAsk(depth))
    if (ask !== undefined && ask <= bid * spreadFactor && bid <= ask * crossedFactor) {
      return { solver: solver.name, price: Math.min(bid, ask), depth }
    }
    last = { price: Math.min(bid, ask ?? bid) }
    if (ask !== undefined && bid > ask * crossedFactor) crossed ??= ask
  }
  return { solver: solver.name, price: crossed ?? last.price, depth: 0 }
}

/** undefined: the solver declined */
const orRefused = (work: Promise<number>): Promise<number | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof SolverError && isRefusal(error)) return undefined
    throw error
  })

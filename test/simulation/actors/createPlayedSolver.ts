import type { Address } from 'viem'
import { type AuctionOrder, revealRequestSchema, solveRequestSchema } from '#shared/solvers/driverApi.ts'
import { network } from '../market.ts'
import type { PlayedSolver } from '../service.ts'
import { toLogText, type World } from '../world.ts'
import { type Amounts, encodeOwnPayment, fundSolver, improve } from './payFromOwnTokens.ts'

/** Misbehaviour of a solver. */
export type SolverManner = 'silent' | 'slow' | 'breaking' | 'malformed' | 'reverting' | 'pretending' | 'stalling'

/** just within the time for a response */
const stallMs = 950

export type PlayedSolverTerms = {
  name: string
  address: Address
  manner: SolverManner
  store: World['chain']['store']
  dice: ReturnType<World['dice']>
  /** waits in virtual time */
  sleep: (milliseconds: number) => Promise<void>
  /** sends a settlement that reverts */
  sendReverting: () => void
}

/**
 * A solver that the simulation plays. `breaking` wins and reports a failure, `reverting` wins and sends a transaction
 * that reverts, `pretending` wins and reports a settlement that it never sent, `stalling` reveals late what reverts,
 * `slow` responds near the deadline, `silent` never responds, `malformed` responds without JSON.
 */
export const createPlayedSolver = (terms: PlayedSolverTerms): PlayedSolver => {
  const { name, address, manner, dice, sleep } = terms
  fundSolver(terms.store, address)
  const promised = new Map<string, { order: AuctionOrder; amounts: Amounts }>()
  const propose = (auctionId: string, order: AuctionOrder, solutionId: number) => {
    const amounts = improve(order, BigInt(manner === 'stalling' ? dice.between(50, 90) : dice.between(1, 40)))
    promised.set(`${auctionId}:${solutionId}`, { order, amounts })
    const { uid, kind, sellToken, buyToken, sellAmount, buyAmount } = order
    const execution = { side: kind, sellToken, buyToken, limitSell: sellAmount, limitBuy: buyAmount, ...amounts }
    return { solutionId, submissionAddress: address, score: '1', orders: { [uid]: execution } }
  }
  const solve = async (request: Request): Promise<Response> => {
    const { id, orders } = solveRequestSchema.parse(await request.json())
    const some = orders.filter(() => dice.chance(manner === 'stalling' ? 0.9 : 0.3)).slice(0, 2)
    // several of one order, so that the next one replaces each that is rejected
    const chosen = manner === 'stalling' ? some.slice(0, 1).flatMap((order) => [order, order, order, order]) : some
    return new Response(toLogText({ solutions: chosen.map((order, i) => propose(id, order, i + 1)) }))
  }
  const reveal = async (request: Request): Promise<Response> => {
    const { solutionId, auctionId } = revealRequestSchema.parse(await request.json())
    const known = promised.get(`${auctionId}:${solutionId}`)
    if (!known) return Response.json({ kind: 'SolutionNotAvailable', description: 'unknown' }, { status: 400 })
    if (manner === 'stalling') await sleep(stallMs)
    // the payment of an account without tokens reverts
    const payer = manner === 'stalling' ? network.settlementContract : address
    const calldata = encodeOwnPayment(known.order, known.amounts, { auctionId: BigInt(auctionId), solver: payer })
    return Response.json({ calldata: { internalized: calldata, uninternalized: calldata } })
  }
  return {
    name,
    address,
    answer: async (request) => {
      const { pathname } = new URL(request.url)
      if (manner === 'silent') return new Promise(() => undefined)
      if (manner === 'malformed') return new Response('<html>')
      if (pathname === '/solve') {
        if (manner === 'slow') await sleep(dice.between(2_500, 3_500))
        return solve(request)
      }
      if (pathname === '/reveal') return reveal(request)
      if (pathname === '/settle') {
        if (manner === 'slow') return new Promise(() => undefined)
        if (manner === 'pretending') return Response.json({})
        if (manner === 'reverting') {
          terms.sendReverting()
          await sleep(dice.between(12_000, 24_000))
        }
        return Response.json({ kind: 'FailedToSubmit', description: 'a deliberate failure' }, { status: 400 })
      }
      return Response.json({ kind: 'QuotingFailed', description: 'no quotes' }, { status: 400 })
    },
  }
}

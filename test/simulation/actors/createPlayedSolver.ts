import type { Address } from 'viem'
import { type AuctionOrder, revealRequestSchema, solveRequestSchema } from '#shared/solvers/driverApi.ts'
import type { PlayedSolver } from '../service.ts'
import { toLogText, type World } from '../world.ts'
import { type Amounts, encodeOwnPayment, fundSolver, improve } from './payFromOwnTokens.ts'

/** Misbehaviour of a solver. */
export type SolverManner = 'silent' | 'slow' | 'breaking' | 'malformed' | 'reverting' | 'pretending'

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
 * A solver that the simulation plays. `breaking` wins and
 * reports a failure, `reverting` wins and sends a transaction that reverts, `pretending` wins and reports a settlement that it
 * never sent, `slow` responds near the deadline, `silent` never responds, `malformed` responds without JSON.
 */
export const createPlayedSolver = (terms: PlayedSolverTerms): PlayedSolver => {
  const { name, address, manner, dice, sleep } = terms
  fundSolver(terms.store, address)
  const promised = new Map<string, { order: AuctionOrder; amounts: Amounts }>()
  const propose = (auctionId: string, order: AuctionOrder, solutionId: number) => {
    const amounts = improve(order, BigInt(dice.between(1, 40)))
    promised.set(`${auctionId}:${solutionId}`, { order, amounts })
    const { uid, kind, sellToken, buyToken, sellAmount, buyAmount } = order
    const execution = { side: kind, sellToken, buyToken, limitSell: sellAmount, limitBuy: buyAmount, ...amounts }
    return { solutionId, submissionAddress: address, score: '1', orders: { [uid]: execution } }
  }
  const solve = async (request: Request): Promise<Response> => {
    const { id, orders } = solveRequestSchema.parse(await request.json())
    const chosen = orders.filter(() => dice.chance(0.3)).slice(0, 2)
    return new Response(toLogText({ solutions: chosen.map((order, i) => propose(id, order, i + 1)) }))
  }
  const reveal = async (request: Request): Promise<Response> => {
    const { solutionId, auctionId } = revealRequestSchema.parse(await request.json())
    const known = promised.get(`${auctionId}:${solutionId}`)
    if (!known) return Response.json({ kind: 'SolutionNotAvailable', description: 'unknown' }, { status: 400 })
    const calldata = encodeOwnPayment(known.order, known.amounts, { auctionId: BigInt(auctionId), solver: address })
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

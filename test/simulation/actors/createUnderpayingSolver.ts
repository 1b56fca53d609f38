import type { Address, Hex } from 'viem'
import {
  type AuctionOrder,
  revealRequestSchema,
  settleRequestSchema,
  solveRequestSchema,
} from '#shared/solvers/driverApi.ts'
import type { PlayedSolver } from '../service.ts'
import { toLogText, type World } from '../world.ts'
import { type Amounts, encodeOwnPayment, fundSolver, improve, isSimple, toLimit } from './payFromOwnTokens.ts'

export type UnderpayingSolverTerms = {
  name: string
  address: Address
  store: World['chain']['store']
  dice: ReturnType<World['dice']>
  /** waits in virtual time */
  sleep: (milliseconds: number) => Promise<void>
  /** sends a transaction to the settlement contract */
  send: (data: Hex) => void
}

/**
 * A solver that wins with a promise, which its revealed calldata keeps, and settles for the limit. It pays from its own
 * tokens, so that nothing else in the settlement differs from an honest one.
 */
export const createUnderpayingSolver = (terms: UnderpayingSolverTerms): PlayedSolver => {
  const { name, address, store, dice, sleep, send } = terms
  fundSolver(store, address)
  const promised = new Map<number, { order: AuctionOrder; amounts: Amounts }>()
  let solutions = 0

  const solve = async (request: Request): Promise<Response> => {
    const { orders } = solveRequestSchema.parse(await request.json())
    const chosen = orders.filter((order) => isSimple(order) && dice.chance(0.3)).slice(0, 2)
    return new Response(
      toLogText({
        solutions: chosen.map((order) => {
          solutions += 1
          const { uid, kind, sellToken, buyToken, sellAmount, buyAmount } = order
          const amounts = improve(order, BigInt(dice.between(5, 40)))
          promised.set(solutions, { order, amounts })
          const terms = { side: kind, sellToken, buyToken, limitSell: sellAmount, limitBuy: buyAmount }
          return { solutionId: solutions, submissionAddress: address, orders: { [uid]: { ...terms, ...amounts } } }
        }),
      }),
    )
  }
  const settle = async (request: Request): Promise<Response> => {
    const { solutionId, auctionId } = settleRequestSchema.parse(await request.json())
    const { order } = promised.get(solutionId) ?? {}
    if (!order) return Response.json({ kind: 'SolutionNotAvailable', description: 'unknown' }, { status: 400 })
    send(encodeOwnPayment(order, toLimit(order), { auctionId: BigInt(auctionId), solver: address }))
    await sleep(dice.between(12_000, 24_000))
    return new Response(null)
  }
  const reveal = async (request: Request): Promise<Response> => {
    const { solutionId, auctionId } = revealRequestSchema.parse(await request.json())
    const known = promised.get(solutionId)
    if (!known) return Response.json({ kind: 'SolutionNotAvailable', description: 'unknown' }, { status: 400 })
    const calldata = encodeOwnPayment(known.order, known.amounts, { auctionId: BigInt(auctionId), solver: address })
    return Response.json({ calldata: { internalized: calldata, uninternalized: calldata } })
  }
  return {
    name,
    address,
    answer: async (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/solve') return solve(request)
      if (pathname === '/reveal') return reveal(request)
      if (pathname === '/settle') return settle(request)
      return Response.json({ kind: 'QuotingFailed', description: 'no quotes' }, { status: 400 })
    },
  }
}

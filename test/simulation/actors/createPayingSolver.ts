import { type Address, type Hex, slice } from 'viem'
import {
  type AuctionOrder,
  revealRequestSchema,
  settleRequestSchema,
  solveRequestSchema,
} from '#shared/solvers/driverApi.ts'
import type { PlayedSolver } from '../service.ts'
import { toLogText, type World } from '../world.ts'
import { type Amounts, addAtom, encodeOwnPayment, fundSolver, improve, isSimple, toLimit } from './payFromOwnTokens.ts'

/** How it settles a win: as promised, at the limit, by a transaction that reverts, or not at all. */
export type SettlingManner = 'kept' | 'limit' | 'reverted' | 'nothing'

export type PayingSolverTerms = {
  name: string
  address: Address
  store: World['chain']['store']
  dice: ReturnType<World['dice']>
  /** waits in virtual time */
  sleep: (milliseconds: number) => Promise<void>
  /** part of the orders that it offers, two at most in an auction */
  share: number
  /** part of a limit that it promises above it, 1/1000; undefined: one atom */
  promise: () => bigint | undefined
  /** amounts of its revealed calldata */
  reveals: 'promise' | 'limit'
  /** of its next win */
  nextManner: () => SettlingManner
  /** sends a transaction to the settlement contract */
  send: (data: Hex) => void
}

/**
 * A solver that pays from its own tokens, so that nothing else in its settlements differs from honest ones. It settles
 * its wins in the manners of a script.
 */
export const createPayingSolver = (terms: PayingSolverTerms): PlayedSolver => {
  const { name, address, store, dice, sleep, send } = terms
  fundSolver(store, address)
  const promised = new Map<number, { order: AuctionOrder; amounts: Amounts }>()
  let solutions = 0

  const solve = async (request: Request): Promise<Response> => {
    const { orders } = solveRequestSchema.parse(await request.json())
    const chosen = orders.filter((order) => isSimple(order) && dice.chance(terms.share)).slice(0, 2)
    return new Response(
      toLogText({
        solutions: chosen.map((order) => {
          solutions += 1
          const { uid, kind, sellToken, buyToken, sellAmount, buyAmount } = order
          const thousandths = terms.promise()
          const amounts = thousandths === undefined ? addAtom(order) : improve(order, thousandths)
          promised.set(solutions, { order, amounts })
          const limits = { side: kind, sellToken, buyToken, limitSell: sellAmount, limitBuy: buyAmount }
          return { solutionId: solutions, submissionAddress: address, orders: { [uid]: { ...limits, ...amounts } } }
        }),
      }),
    )
  }
  const settle = async (request: Request): Promise<Response> => {
    const { solutionId, auctionId } = settleRequestSchema.parse(await request.json())
    const known = promised.get(solutionId)
    if (!known) return Response.json({ kind: 'SolutionNotAvailable', description: 'unknown' }, { status: 400 })
    const manner = terms.nextManner()
    if (manner === 'nothing') return new Promise(() => undefined)
    const { order } = known
    const amounts = manner === 'kept' ? known.amounts : toLimit(order)
    const calldata = encodeOwnPayment(order, amounts, { auctionId: BigInt(auctionId), solver: address })
    // a call without its arguments reverts
    send(manner === 'reverted' ? slice(calldata, 0, 4) : calldata)
    await sleep(dice.between(12_000, 24_000))
    return new Response(null)
  }
  const reveal = async (request: Request): Promise<Response> => {
    const { solutionId, auctionId } = revealRequestSchema.parse(await request.json())
    const known = promised.get(solutionId)
    if (!known) return Response.json({ kind: 'SolutionNotAvailable', description: 'unknown' }, { status: 400 })
    const amounts = terms.reveals === 'limit' ? toLimit(known.order) : known.amounts
    const calldata = encodeOwnPayment(known.order, amounts, { auctionId: BigInt(auctionId), solver: address })
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

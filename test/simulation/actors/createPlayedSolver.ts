import type { Address } from 'viem'
import type { PlayedSolver } from '../service.ts'
import { toLogText, type World } from '../world.ts'

/** Misbehaviour of a solver. */
export type SolverManner = 'silent' | 'slow' | 'lying' | 'breaking' | 'malformed' | 'reverting' | 'pretending'

export type PlayedSolverTerms = {
  name: string
  address: Address
  manner: SolverManner
  dice: ReturnType<World['dice']>
  /** waits in virtual time */
  sleep: (milliseconds: number) => Promise<void>
  /** sends a settlement that reverts */
  sendReverting: () => void
}

type SolveRequest = { orders: AuctionOrder[] }
type AuctionOrder = {
  uid: string
  kind: 'sell' | 'buy'
  sellToken: string
  buyToken: string
  sellAmount: string
  buyAmount: string
}

/**
 * A solver that the simulation plays. `lying` promises more than it can settle and never settles, `breaking` wins and
 * reports a failure, `reverting` wins and sends a transaction that reverts, `pretending` wins and reports a settlement that it
 * never sent, `slow` responds near the deadline, `silent` never responds, `malformed` responds without JSON.
 */
export const createPlayedSolver = (terms: PlayedSolverTerms): PlayedSolver => {
  const { name, address, manner, dice, sleep } = terms
  const propose = ({ uid, kind, ...order }: AuctionOrder, solutionId: number) => {
    const extra = BigInt(dice.between(1, 40))
    const [limitSell, limitBuy] = [BigInt(order.sellAmount), BigInt(order.buyAmount)]
    return {
      solutionId,
      submissionAddress: address,
      score: '1',
      orders: {
        [uid]: {
          side: kind,
          sellToken: order.sellToken,
          buyToken: order.buyToken,
          limitSell: limitSell.toString(),
          limitBuy: limitBuy.toString(),
          executedSell: String(kind === 'sell' ? limitSell : (limitSell * (1_000n - extra)) / 1_000n),
          executedBuy: String(kind === 'sell' ? (limitBuy * (1_000n + extra)) / 1_000n : limitBuy),
        },
      },
    }
  }
  const solve = async (request: Request): Promise<Response> => {
    const { orders } = (await request.json()) as SolveRequest
    const chosen = orders.filter(() => dice.chance(0.3)).slice(0, 2)
    return new Response(toLogText({ solutions: chosen.map((order, i) => propose(order, i + 1)) }))
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
      if (pathname === '/settle') {
        if (manner === 'lying' || manner === 'slow') return new Promise(() => undefined)
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

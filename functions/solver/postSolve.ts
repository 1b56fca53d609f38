import type { Address } from 'viem'
import { compareDescending } from '#shared/amounts/compareDescending.ts'
import { describeError } from '#shared/http/describeError.ts'
import { keepRunning } from '#shared/http/keepRunning.ts'
import {
  type AuctionOrder,
  maxSolutions,
  type SolveRequest,
  type SolveResponseBody,
  solveChangesSchema,
} from '#shared/solvers/driverApi.ts'
import type { AuctionMemory } from './createAuctionMemory.ts'
import { createDriverApp, readBody } from './createDriverApp.ts'
import { computePaid, type Executed } from './fills/executed.ts'
import type { SettlementCall } from './settling/submission.ts'

/** A solution and the transaction that settles it. */
type Proposal = SettlementCall & {
  batches: readonly { fills: readonly (Executed & { order: AuctionOrder })[] }[]
  /** wei */
  score: bigint
  /** see `createTurns`; absent in proposals of an engine */
  earlier?: number
}

export interface PostSolveDeps {
  /** see `AuctionMemory`; undefined without the base of a delta */
  complete: AuctionMemory['complete']
  /** `background` continues work after the response */
  findSolutions: (
    auction: SolveRequest,
    report: (solution: Proposal) => void,
    background: (work: Promise<unknown>) => void,
  ) => Promise<void>
  /** stores the settlements of solutions; resolves to one id for each */
  remember: (auctionId: string, settlements: SettlementCall[]) => Promise<number[]>
  /** account that sends the settlements */
  solver: Address
  /** clock, Unix milliseconds */
  now: () => number
}

/** share of the time to the deadline for the search; the rest is for storing and responding */
const searchShare = 0.8

/**
 * `POST /solve`: proposes as many solutions for an auction as the order book considers. Those with orders of
 * the fewest earlier searches come first, then those that may share a settlement, by score. Solutions not found in time
 * are left out.
 */
export const postSolve = ({ complete, findSolutions, remember, solver, now }: PostSolveDeps) => {
  const app = createDriverApp()
  app.post('/solve', async (c) => {
    const request = await readBody(c, solveChangesSchema)
    const auction = complete(request)
    if (!auction) return c.json({ kind: 'UnknownBase', description: 'the base auction is not held' }, 409)
    const found: Proposal[] = []
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, Math.max(0, (Date.parse(auction.deadline) - now()) * searchShare))
    try {
      const search = findSolutions(
        auction,
        (solution) => found.push(solution),
        (work) => keepRunning(c, work),
      )
      await Promise.race([search, late.promise])
      search.catch(() => undefined)
    } catch (error) {
      // solutions found earlier remain valid
      if (found.length === 0) throw error
      console.error(JSON.stringify({ message: 'search aborted', auctionId: auction.id, cause: describeError(error) }))
    } finally {
      clearTimeout(timer)
    }
    const solutions = found
      .toSorted(
        (a, b) =>
          (a.earlier ?? 0) - (b.earlier ?? 0) ||
          Number(hasFailed(a)) - Number(hasFailed(b)) ||
          compareDescending(a.score, b.score),
      )
      .slice(0, maxSolutions)
    const ids = solutions.length > 0 ? await remember(auction.id, solutions.map(toSettlementCall)) : []
    return c.json({
      solutions: solutions.flatMap((solution, i) => {
        const solutionId = ids[i]
        return solutionId === undefined ? [] : [toSolutionResponse(solution, solutionId, solver)]
      }),
    } satisfies SolveResponseBody)
  })
  return app
}

const toSettlementCall = ({ calldata, accessList, fallback, draft, engineId }: Proposal): SettlementCall => ({
  ...{ calldata, accessList, fallback, draft, engineId },
})

const hasFailed = ({ batches }: Proposal): boolean =>
  batches.some(({ fills }) => fills.some(({ order }) => order.settleAlone === true))

const toSolutionResponse = ({ batches, score }: Proposal, solutionId: number, solver: Address) => ({
  solutionId,
  submissionAddress: solver,
  score: String(score),
  orders: Object.fromEntries(
    batches
      .flatMap(({ fills }) => fills)
      .map((fill) => [
        fill.order.uid,
        {
          side: fill.order.kind,
          sellToken: fill.order.sellToken,
          buyToken: fill.order.buyToken,
          limitSell: String(fill.order.sellAmount),
          limitBuy: String(fill.order.buyAmount),
          executedSell: String(computePaid(fill)),
          executedBuy: String(fill.executedBuy),
        },
      ]),
  ),
})

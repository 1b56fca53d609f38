import type { Address } from 'viem'
import { compareDescending } from '#shared/amounts/compareDescending.ts'
import { describeError } from '#shared/http/describeError.ts'
import { type SolveRequest, type SolveResponseBody, solveChangesSchema } from '#shared/solvers/driverApi.ts'
import type { AuctionMemory } from './createAuctionMemory.ts'
import { createDriverApp, readBody } from './createDriverApp.ts'
import { computePaid } from './fills/executed.ts'
import type { SettlementCall } from './settling/submission.ts'
import type { EncodedSolution } from './solutions/findSolutions.ts'

export interface PostSolveDeps {
  /** see `AuctionMemory`; undefined without the base of a delta */
  complete: AuctionMemory['complete']
  findSolutions: (auction: SolveRequest, report: (solution: EncodedSolution) => void) => Promise<void>
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
 * `POST /solve`: proposes solutions for an auction, best score first, orders whose settlement failed before last: the
 * order book considers only the first few. Solutions not found in time are left out.
 */
export const postSolve = ({ complete, findSolutions, remember, solver, now }: PostSolveDeps) => {
  const app = createDriverApp()
  app.post('/solve', async (c) => {
    const request = await readBody(c, solveChangesSchema)
    const auction = complete(request)
    if (!auction) return c.json({ kind: 'UnknownBase', description: 'the base auction is not held' }, 409)
    const found: EncodedSolution[] = []
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, Math.max(0, (Date.parse(auction.deadline) - now()) * searchShare))
    try {
      const search = findSolutions(auction, (solution) => found.push(solution))
      await Promise.race([search, late.promise])
      search.catch(() => undefined)
    } catch (error) {
      // solutions found earlier remain valid
      if (found.length === 0) throw error
      console.error(JSON.stringify({ message: 'search aborted', auctionId: auction.id, cause: describeError(error) }))
    } finally {
      clearTimeout(timer)
    }
    const solutions = found.toSorted(
      (a, b) => Number(hasFailed(a)) - Number(hasFailed(b)) || compareDescending(a.score, b.score),
    )
    const ids =
      solutions.length > 0
        ? await remember(
            auction.id,
            solutions.map(({ calldata, accessList, fallback, draft }) => ({ calldata, accessList, fallback, draft })),
          )
        : []
    return c.json({
      solutions: solutions.flatMap((solution, i) => {
        const solutionId = ids[i]
        return solutionId === undefined ? [] : [toSolutionResponse(solution, solutionId, solver)]
      }),
    } satisfies SolveResponseBody)
  })
  return app
}

const hasFailed = ({ batches }: EncodedSolution): boolean =>
  batches.some(({ fills }) => fills.some(({ order }) => order.settleAlone === true))

const toSolutionResponse = ({ batches, score }: EncodedSolution, solutionId: number, solver: Address) => ({
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

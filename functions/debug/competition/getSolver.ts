import { createRoute, z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import type { NetworkDatabase } from '#schema/networkDatabase.ts'
import { type SolverAuctions, selectSolverAuctions } from '#schema/queries/explorer/solverAuctions.ts'
import { suspensionSchema } from '#shared/alarms/networkStatusSchema.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { findLoss } from '#shared/solvers/findLoss.ts'
import type { SolverEntry } from '#shared/solvers/solverList.ts'
import { addressSchema, amountTextSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'
import { cursorSchema, listLimitSchema, nextPageHeaders, toNextPageHeaders } from '#shared/validation/listPage.ts'
import { blameSchema } from '../attemptSchemas.ts'
import { leftOutReasonSchema } from './toSolverCompetition.ts'
import { toWinStatus, winStatusSchema } from './winStatus.ts'

export type GetSolverDeps = NetworkDatabase & {
  wrappedNative: Address
  /** configured solvers of this network */
  knownSolvers: readonly Pick<SolverEntry, 'name' | 'address'>[]
  /** `HIDE_COMPETITION_BEFORE_DEADLINE` */
  hideBeforeDeadline: boolean
}

const count = z.number().int().nonnegative()

const lossSchema = z
  .object({
    kind: z.enum(['order', 'pair', 'unfair', 'limit']).openapi({
      description:
        'order, pair: `solver` won one of its orders, or another order of the same directed pair; unfair: it gives less on a pair than a solution that trades only that pair; limit: a balance, unsettled wins of its solver or the number of winners did not allow it',
    }),
    solver: addressSchema.optional().openapi({ description: 'winner in its way; absent for the other kinds' }),
    by: z
      .string()
      .regex(/^-?\d+$/)
      .optional()
      .openapi({
        description: "the winner's score minus its own, wei; negative where the score did not decide",
        example: '120000000000000',
      }),
  })
  .openapi('SolverLoss')

const settlementSchema = z
  .object({
    status: winStatusSchema,
    startedAt: z.iso.datetime().openapi({ description: 'time of the settlement request' }),
    endedAt: z.iso.datetime().nullable().openapi({ description: 'null while it runs' }),
    deadlineBlock: count.openapi({ description: 'last block in which it may settle' }),
    outcome: z.string().nullable().openapi({ description: 'as in `solver_competition`' }),
    blame: blameSchema.optional(),
    txHash: hashSchema.nullable(),
    blocks: count.nullable().openapi({ description: 'from the decision until its block; null without a transaction' }),
    gasUsed: amountTextSchema.nullable(),
    effectiveGasPrice: amountTextSchema.nullable().openapi({ description: 'wei per gas unit' }),
  })
  .openapi('SolverSettlement')

const solutionSchema = z
  .object({
    ranking: z.number().int().openapi({ description: '1 is best' }),
    score: amountTextSchema.openapi({ description: 'wei' }),
    orders: z.array(orderUidSchema),
    responseMs: count.nullable().openapi({
      description: 'from the start of the auction until the solver responded, ms; null: recorded before it was stored',
    }),
    settlement: settlementSchema.nullable().openapi({ description: 'of a winner; null for the others' }),
    loss: lossSchema.nullable().openapi({ description: 'why it did not win; null for a winner' }),
  })
  .openapi('SolverSolution')

const auctionSchema = z
  .object({
    id: count,
    block: count.openapi({ description: 'head block when the auction was cut' }),
    createdAt: z.iso.datetime(),
    solutions: z.array(solutionSchema).openapi({ description: 'its valid solutions, best first' }),
    leftOut: leftOutReasonSchema
      .nullable()
      .openapi({ description: 'the first of its solutions that was rejected, or why it took part only partly' }),
  })
  .openapi('SolverAuction')

const solverSchema = z
  .object({
    address: addressSchema,
    name: z.string().nullable().openapi({ description: 'null for a solver that is not configured' }),
    suspension: suspensionSchema.nullable().openapi({ description: 'null without restrictions' }),
    debt: amountTextSchema.openapi({
      description: 'what its settlements paid less than promised, wei; half of it is forgotten per day',
    }),
    unsettled: z
      .object({ wins: count, score: amountTextSchema.openapi({ description: 'wei' }) })
      .openapi({ description: 'wins that are not decided yet' }),
    auctions: z.array(auctionSchema).openapi({ description: 'newest first' }),
  })
  .openapi('SolverDetails')

const getSolverRoute = createRoute({
  ...endpoint('getSolver'),
  tags: ['Auctions'],
  summary: 'What a solver sees',
  description:
    'Standing of a solver and the auctions in which it took part or was left out, newest first: why its solutions lost, ' +
    'what was rejected, how its wins were settled. Auctions without a valid solution of any solver are not stored, and ' +
    'losing solutions of archived auctions are only in `solver_competition`. A page covers a thousand auctions at most, so ' +
    'it may be short and still have a next one.',
  request: {
    params: z.object({ address: addressSchema.openapi({ example: exampleValues.account }) }),
    query: z.object({ limit: listLimitSchema, cursor: cursorSchema(/^\d{1,15}$/, Number) }),
  },
  responses: {
    200: {
      description: 'the solver',
      content: { 'application/json': { schema: solverSchema } },
      headers: nextPageHeaders,
    },
    ...errorResponses('InvalidParameter', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/explorer/solvers/{address}`: the cursor is an auction id. */
export const getSolver = ({ database, chainId, wrappedNative, knownSolvers, hideBeforeDeadline }: GetSolverDeps) =>
  createApp().openapi(getSolverRoute, async (c) => {
    const { address } = c.req.valid('param')
    const { limit, cursor } = c.req.valid('query')
    const range = { before: cursor, limit, onlyPast: hideBeforeDeadline }
    const { auctions, next, ...standing } = await selectSolverAuctions(database, chainId, address, range)
    const name = knownSolvers.find((solver) => solver.address === address)?.name ?? null
    const body = {
      address,
      name,
      ...standing,
      auctions: auctions.map((auction) => toAuction(auction, address, wrappedNative)),
    }
    return c.json(body, 200, {
      ...toNextPageHeaders(c.req.url, next === null ? null : String(next)),
      'Cache-Control': cachePolicies.recent,
    })
  })

type Auction = SolverAuctions['auctions'][number]

const toAuction = (
  { createdAt, leftOut, solutions, attempts, ...auction }: Auction,
  address: Address,
  wrappedNative: Address,
) => {
  const winners = solutions.filter(({ isWinner }) => isWinner)
  const own = solutions.filter(({ solver }) => solver === address)
  return {
    ...auction,
    createdAt: createdAt.toISOString(),
    leftOut: leftOut && { kind: leftOut.kind, reason: leftOut.reason },
    solutions: own.map((solution) => {
      const attempt = attempts.find(({ solutionUid }) => solutionUid === solution.uid)
      return {
        ranking: solution.uid + 1,
        score: String(solution.score),
        orders: [...solution.orders.keys()],
        responseMs: solution.responseMs,
        settlement: attempt ? toSettlement(attempt) : null,
        loss: solution.isWinner ? null : toLoss(findLoss(solution, winners, wrappedNative)),
      }
    }),
  }
}

const toLoss = (loss: ReturnType<typeof findLoss>) => ('by' in loss ? { ...loss, by: String(loss.by) } : loss)

const toSettlement = ({ startBlock, blockNumber, blame, ...attempt }: Auction['attempts'][number]) => ({
  status: toWinStatus(attempt.outcome),
  startedAt: attempt.startedAt.toISOString(),
  endedAt: attempt.endedAt?.toISOString() ?? null,
  deadlineBlock: attempt.deadlineBlock,
  outcome: attempt.outcome,
  ...(blame && { blame }),
  txHash: attempt.transactionHash,
  blocks: blockNumber === null ? null : Math.max(0, blockNumber - startBlock),
  gasUsed: attempt.gasUsed?.toString() ?? null,
  effectiveGasPrice: attempt.effectiveGasPrice?.toString() ?? null,
})

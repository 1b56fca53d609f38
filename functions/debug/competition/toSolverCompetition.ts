import { z } from '@hono/zod-openapi'
import type { SolverCompetitionFacts } from '#schema/queries/auctions/solverCompetition.ts'
import { addressSchema, amountTextSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'
import { blameSchema, mismatchSchema } from '../attemptSchemas.ts'

const pricesSchema = z.record(z.string(), amountTextSchema).openapi({ description: 'by token, wei per 10^18 atoms' })

/** Of a settlement transaction, as indexed; its sender is the solver. */
const settlementSchema = z
  .object({
    block: z.number().int(),
    time: z.iso.datetime().openapi({ description: 'of the block' }),
    gasUsed: amountTextSchema.openapi({ description: 'gas units of the transaction' }),
    effectiveGasPrice: amountTextSchema.openapi({ description: 'wei per gas unit' }),
  })
  .openapi('CompetitionSettlement', {
    example: {
      block: 21_000_001,
      time: '2026-11-29T00:40:12.000Z',
      gasUsed: '189342',
      effectiveGasPrice: '1500000007',
    },
  })

const solutionSchema = z.object({
  solverAddress: addressSchema,
  score: amountTextSchema.openapi({ description: 'wei' }),
  ranking: z.number().int().openapi({ description: '1 is best' }),
  clearingPrices: pricesSchema.openapi({
    description: 'always empty: solutions have amounts instead of uniform prices',
  }),
  orders: z.array(
    z.object({
      id: orderUidSchema,
      sellAmount: amountTextSchema,
      buyAmount: amountTextSchema,
      sellToken: addressSchema,
      buyToken: addressSchema,
    }),
  ),
  isWinner: z.boolean(),
  filteredOut: z.boolean(),
  txHash: hashSchema.nullable().openapi({ description: 'settlement transaction' }),
  referenceScore: amountTextSchema.nullable().openapi({ description: 'best total score without this winner, wei' }),
  outcome: z.string().nullable().openapi({
    description:
      'of a winner: success, mismatch, timeout or driver failed: and its kind (FailedToSubmit, SolutionNotAvailable, …, SolverFailed for one of its own); null: still running, or not a winner',
  }),
  mismatch: mismatchSchema.optional(),
  deadlineBlock: z.number().int().optional().openapi({ description: 'of a winner: last block in which it may settle' }),
  blame: blameSchema.optional(),
  settlement: settlementSchema.optional().openapi({ description: 'only with `txHash`' }),
})

/** What of a solver did not take part in an auction. */
export const leftOutReasonSchema = z.object({
  kind: z.enum(['suspended', 'yielded', 'rejected', 'failed']).openapi({
    description:
      'suspended: it received only orders that were not won for two blocks, if any; yielded: its solutions ranked after those of other solvers on the same pairs; rejected: a solution broke a rule; failed: it did not respond, or with an error',
  }),
  reason: z.string(),
})

const leftOutSchema = leftOutReasonSchema.extend({ solverAddress: addressSchema })

/** All solutions of one auction, worst first. */
export const solverCompetitionSchema = z
  .object({
    auctionId: z.number().int(),
    auctionStartBlock: z.number().int(),
    auctionDeadlineBlock: z.number().int(),
    transactionHashes: z.array(hashSchema),
    referenceScores: z.record(z.string(), amountTextSchema).openapi({ description: 'by address of the winner, wei' }),
    auction: z.object({ orders: z.array(orderUidSchema), prices: pricesSchema }),
    solutions: z.array(solutionSchema).openapi({ description: 'worst first, the winner last' }),
    leftOut: z
      .array(leftOutSchema)
      .openapi({ description: 'solvers that took part in the auction only partly or not at all, and why' }),
  })
  .openapi('SolverCompetition')

/** The same with the additional fields of version 1. */
export const solverCompetitionV1Schema = solverCompetitionSchema
  .extend({
    competitionSimulationBlock: z.number().int(),
    solutions: z.array(solutionSchema.extend({ solver: z.string() })),
  })
  .openapi('SolverCompetitionV1')

export type SolverCompetition = z.input<typeof solverCompetitionSchema>

/** Converts a solver competition to its response. */
export const toSolverCompetition = (facts: SolverCompetitionFacts): SolverCompetition => {
  const { auction, solutions, settlements, attempts } = facts
  const settlementOf = new Map(settlements.map((settlement) => [settlement.solutionUid, settlement]))
  const attemptOf = new Map(attempts.map((attempt) => [attempt.solutionUid, attempt]))
  return {
    auctionId: auction.id,
    auctionStartBlock: auction.block,
    auctionDeadlineBlock: auction.deadlineBlock,
    transactionHashes: [...new Set(settlements.map(({ transactionHash }) => transactionHash))],
    referenceScores: Object.fromEntries(
      solutions.flatMap(({ solver, isWinner, referenceScore }) =>
        isWinner && referenceScore !== null ? [[solver, referenceScore.toString()]] : [],
      ),
    ),
    auction: { orders: facts.members, prices: auction.prices },
    solutions: solutions.map(({ uid, solver, score, isWinner, filteredOut, referenceScore }) => ({
      solverAddress: solver,
      score: score.toString(),
      ranking: uid + 1,
      clearingPrices: {},
      orders: facts.solutionOrders
        .filter(({ solutionUid }) => solutionUid === uid)
        .map(({ orderUid, executedSell, executedBuy, sellToken, buyToken }) => ({
          id: orderUid,
          sellAmount: executedSell.toString(),
          buyAmount: executedBuy.toString(),
          sellToken,
          buyToken,
        })),
      isWinner,
      filteredOut,
      txHash: settlementOf.get(uid)?.transactionHash ?? null,
      referenceScore: referenceScore?.toString() ?? null,
      ...toResult(attemptOf.get(uid), settlementOf.get(uid)),
    })),
    leftOut: auction.leftOut.map(({ solver, ...why }) => ({ solverAddress: solver, ...why })),
  }
}

/** What became of a solution; only winners have an attempt. */
const toResult = (
  attempt: SolverCompetitionFacts['attempts'][number] | undefined,
  settlement: SolverCompetitionFacts['settlements'][number] | undefined,
) => ({
  outcome: attempt?.outcome ?? null,
  ...(settlement?.mismatch && { mismatch: settlement.mismatch }),
  ...(attempt && { deadlineBlock: attempt.deadlineBlock }),
  ...(attempt?.blame && { blame: attempt.blame }),
  ...(settlement && {
    settlement: {
      block: settlement.blockNumber,
      time: settlement.settledAt.toISOString(),
      gasUsed: settlement.gasUsed.toString(),
      effectiveGasPrice: settlement.effectiveGasPrice.toString(),
    },
  }),
})

/** A competition in the shape of version 1, with the address in place of the solver's name. */
export const toSolverCompetitionV1 = (competition: SolverCompetition) => ({
  ...competition,
  competitionSimulationBlock: competition.auctionStartBlock,
  solutions: competition.solutions.map((solution) => ({ solver: solution.solverAddress, ...solution })),
})

import { z } from '@hono/zod-openapi'
import type { DebugFacts } from '#schema/queries/debug/debugReport.ts'
import { type HookOutcome, hookOutcomeSchema } from '#shared/hooks/hookOutcome.ts'
import { type OrderAppData, orderResponseSchema, toOrderResponse } from '#shared/orders/orderResponse.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { addressSchema, amountTextSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'
import { blameSchema, mismatchSchema } from '../attemptSchemas.ts'
import { computeDiagnosis } from './computeDiagnosis.ts'
import { diagnosisSchema, toDiagnosisResponse } from './diagnosis.ts'
import type { LiveFacts } from './diagnosisFacts.ts'

const factor = z.number().optional().openapi({ description: 'a share: 0.01 is 1 %' })

const auctionSchema = z.object({
  id: z.number().int(),
  block: z.number().int().openapi({ description: 'head block when the auction was cut' }),
  deadline: z.number().int().openapi({
    description: 'last block in which the last of its winners may settle; `deadlineBlock` of an attempt is its own',
  }),
  nativePrices: z
    .record(z.string(), amountTextSchema)
    .openapi({ description: 'prices of both tokens, wei per 10^18 atoms' }),
  proposedSolutions: z
    .array(
      z.object({
        solutionUid: z.number().int(),
        ranking: z.number().int().openapi({ description: '1 is best; filtered-out solutions come last' }),
        solver: addressSchema,
        isWinner: z.boolean(),
        filteredOut: z.boolean(),
        score: amountTextSchema.openapi({ description: 'wei' }),
        executedSell: amountTextSchema,
        executedBuy: amountTextSchema,
      }),
    )
    .openapi({ description: 'solutions with the order' }),
  executions: z.array(
    z.object({
      executedFee: amountTextSchema.openapi({ description: 'network and protocol fees' }),
      executedFeeToken: addressSchema,
      blockNumber: z.number().int(),
      protocolFees: z.array(z.object({ token: z.string(), amount: amountTextSchema })),
    }),
  ),
  settlementAttempts: z
    .array(
      z.object({
        solver: addressSchema,
        solutionUid: z.number().int(),
        startTimestamp: z.iso.datetime(),
        endTimestamp: z.iso.datetime().optional(),
        startBlock: z.number().int(),
        endBlock: z.number().int().optional(),
        deadlineBlock: z.number().int(),
        outcome: z.string().optional().openapi({
          description:
            'success, mismatch, timeout or driver failed: and its kind (FailedToSubmit, SolutionNotAvailable, …, SolverFailed for one of its own); absent: still running',
        }),
        mismatch: mismatchSchema.optional(),
        blame: blameSchema.optional(),
      }),
    )
    .openapi({ description: 'sum over all winners of the auction' }),
  feePolicies: z.array(
    z.object({
      kind: z.enum(['surplus', 'volume', 'priceImprovement']),
      surplusFactor: factor,
      surplusMaxVolumeFactor: factor,
      volumeFactor: factor,
      priceImprovementFactor: factor,
      priceImprovementMaxVolumeFactor: factor,
    }),
  ),
})

/** Full history of one order (interface specification, Debug report). */
export const debugReportSchema = z
  .object({
    orderUid: orderUidSchema,
    order: orderResponseSchema,
    diagnosis: diagnosisSchema,
    events: z
      .array(
        z.object({
          label: z.string(),
          timestamp: z.iso.datetime(),
          reason: z.string().optional(),
          hooks: z
            .array(hookOutcomeSchema)
            .optional()
            .openapi({ description: 'of traded: what the hooks did in the settlement; absent: none, or not traced' }),
        }),
      )
      .openapi({ description: 'oldest first' }),
    auctions: z.array(auctionSchema).openapi({ description: 'auctions that the order took part in, by id' }),
    listedAuctions: z
      .object({ first: z.number().int(), last: z.number().int(), isListed: z.boolean() })
      .nullable()
      .openapi({
        description:
          'ids of the first and the last auction with the order, proposed or not; isListed: whether the newest auction has it. Null: no auction had it',
      }),
    trades: z
      .array(
        z.object({
          blockNumber: z.number().int(),
          logIndex: z.number().int(),
          buyAmount: amountTextSchema,
          sellAmount: amountTextSchema,
          sellAmountBeforeFees: amountTextSchema,
          txHash: hashSchema,
          auctionId: z.number().int().optional(),
        }),
      )
      .openapi({ description: 'newest first, 100 at most' }),
  })
  .openapi('DebugReport')

export type DebugReport = z.infer<typeof debugReportSchema>

/**
 * Converts the facts to the debug report; unknown values are left out.
 * @param now Unix seconds
 */
export const toDebugReport = (
  order: StoredOrder,
  facts: DebugFacts,
  now: number,
  live: LiveFacts,
  orderAppData?: OrderAppData,
): DebugReport => {
  const { first, last, isOpen } = facts.membership
  return {
    orderUid: order.uid,
    order: toOrderResponse(order, now, orderAppData),
    diagnosis: {
      ...toDiagnosisResponse(computeDiagnosis(order, facts, now, live)),
      ...(live.fillableNow === undefined ? {} : { fillableNow: live.fillableNow }),
    },
    events: facts.events.map(({ label, createdAt, reason, data }) => ({
      label,
      timestamp: createdAt.toISOString(),
      ...withoutNulls({ reason }),
      ...(label === 'traded' && data?.hooks ? { hooks: data.hooks as HookOutcome[] } : {}),
    })),
    auctions: facts.auctions.map((auction) => toAuction(order, facts, auction)),
    listedAuctions: first === null || last === null ? null : { first, last, isListed: isOpen },
    trades: facts.trades.map(
      ({ blockNumber, logIndex, buyAmount, sellAmount, feeAmount, transactionHash, auctionId }) => ({
        blockNumber,
        logIndex,
        buyAmount: buyAmount.toString(),
        sellAmount: sellAmount.toString(),
        sellAmountBeforeFees: (sellAmount - feeAmount).toString(),
        txHash: transactionHash,
        ...withoutNulls({ auctionId }),
      }),
    ),
  }
}

const toAuction = (
  order: StoredOrder,
  facts: DebugFacts,
  { id, block, deadlineBlock, sellTokenPrice, buyTokenPrice }: DebugFacts['auctions'][number],
): DebugReport['auctions'][number] => {
  const ofAuction = (row: { auctionId: number }) => row.auctionId === id
  return {
    id,
    block,
    deadline: deadlineBlock,
    nativePrices: {
      ...(sellTokenPrice === null ? {} : { [order.sellToken]: sellTokenPrice }),
      ...(buyTokenPrice === null ? {} : { [order.buyToken]: buyTokenPrice }),
    },
    proposedSolutions: facts.solutions.filter(ofAuction).map((solution) => ({
      solutionUid: solution.uid,
      ranking: solution.uid + 1,
      solver: solution.solver,
      isWinner: solution.isWinner,
      filteredOut: solution.filteredOut,
      score: solution.score.toString(),
      executedSell: solution.executedSell.toString(),
      executedBuy: solution.executedBuy.toString(),
    })),
    executions: facts.executions.filter(ofAuction).map((execution) => ({
      executedFee: execution.executedFee.toString(),
      executedFeeToken: execution.executedFeeToken,
      blockNumber: execution.blockNumber,
      protocolFees: execution.protocolFees,
    })),
    settlementAttempts: facts.attempts.filter(ofAuction).map((attempt) => ({
      solver: attempt.solver,
      solutionUid: attempt.solutionUid,
      startTimestamp: attempt.startedAt.toISOString(),
      startBlock: attempt.startBlock,
      deadlineBlock: attempt.deadlineBlock,
      ...withoutNulls({
        endTimestamp: attempt.endedAt?.toISOString() ?? null,
        endBlock: attempt.endBlock,
        outcome: attempt.outcome,
        mismatch: attempt.mismatch,
        blame: attempt.blame,
      }),
    })),
    feePolicies: facts.feePolicies
      .filter(ofAuction)
      .map(({ auctionId: _, kind, ...factors }) => ({ kind, ...withoutNulls(factors) })),
  }
}

const withoutNulls = <T extends Record<string, unknown>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [Key in keyof T]?: NonNullable<T[Key]>
  }

import { z } from '@hono/zod-openapi'
import type { DebugFacts } from '#schema/queries/debug/debugReport.ts'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { type HookOutcome, hookOutcomeSchema } from '#shared/hooks/hookOutcome.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import {
  addressSchema,
  amountTextSchema,
  bytesSchema,
  hashSchema,
  orderUidSchema,
} from '#shared/validation/chainValues.ts'

const amountsSchema = z.object({ sellAmount: amountTextSchema, buyAmount: amountTextSchema })
const offerSchema = amountsSchema.extend({
  solver: addressSchema,
  score: amountTextSchema.openapi({ description: 'of its whole solution, wei' }),
})
const priceSchema = amountTextSchema.nullable()
/** 24 KiB, as in orders */
const hookSchema = z.object({ stage: z.enum(['pre', 'post']), target: addressSchema, callData: bytesSchema(24 * 1024) })

const competitionSchema = z
  .object({
    auctionId: z.number().int(),
    block: z.number().int().openapi({ description: 'head block when the auction was cut' }),
    winner: offerSchema.nullable().openapi({ description: 'what the settled solution promised this order' }),
    runnerUp: offerSchema.nullable().openapi({
      description: 'best-ranked other solution with this order of another solver; null: no other solver offered it',
    }),
    referencePrices: z
      .object({ sellToken: priceSchema, buyToken: priceSchema })
      .openapi({ description: 'native prices of the auction, wei per 10^18 atoms' }),
  })
  .openapi('ReceiptCompetition')

const fillSchema = amountsSchema
  .extend({
    transactionHash: hashSchema,
    blockNumber: z.number().int(),
    logIndex: z.number().int().openapi({ description: 'of its `Trade` event' }),
    signedFee: amountTextSchema.openapi({ description: 'sell token atoms, part of sellAmount' }),
    solver: addressSchema.nullable().openapi({ description: 'sender of the transaction' }),
    gas: z
      .object({ used: amountTextSchema, price: amountTextSchema })
      .nullable()
      .openapi({ description: 'of the whole transaction: gas units, wei per gas unit' }),
    competition: competitionSchema.nullable().openapi({ description: 'null: settled outside of the auctions' }),
    fees: z
      .object({
        total: amountTextSchema.openapi({
          description: 'sell token atoms beside the uniform prices: gas of the solver and the fees of `items`',
        }),
        items: z.array(
          z.object({
            policy: z.enum(['surplus', 'volume', 'priceImprovement']).nullable(),
            beneficiary: z.union([z.literal('protocol'), addressSchema]).openapi({
              description: '`protocol`, or the recipient of a partner fee; held by the settlement contract',
            }),
            token: addressSchema,
            amount: amountTextSchema,
          }),
        ),
      })
      .nullable()
      .openapi({ description: 'null until the settlement is attributed to its auction' }),
  })
  .openapi('ReceiptFill')

/** What was promised to an order and what it got. */
export const receiptSchema = z
  .object({
    chainId: z.number().int(),
    orderUid: orderUidSchema,
    owner: addressSchema,
    receiver: addressSchema.openapi({ description: 'of the bought tokens' }),
    kind: z.enum(['sell', 'buy']),
    sellToken: addressSchema,
    buyToken: addressSchema,
    limit: amountsSchema.openapi({
      description: 'as signed: a sell order buys at least buyAmount, a buy order sells at most sellAmount',
    }),
    quote: amountsSchema
      .extend({ feeAmount: amountTextSchema, solver: addressSchema, verified: z.boolean() })
      .nullable()
      .openapi({ description: 'that the order was placed with; feeAmount: network fee, sell token atoms' }),
    executed: amountsSchema.openapi({ description: 'sum of the fills: what left the owner and what arrived' }),
    surplus: z
      .object({ token: addressSchema, amount: z.string() })
      .openapi({ description: 'gain over the limit, scaled to what is filled; 0 without a fill' }),
    hooks: z.array(hookSchema).openapi({
      description: 'calls of each settlement before and after the trade; one that reverts does not stop the trade',
    }),
    hookOutcomes: z
      .array(hookOutcomeSchema)
      .openapi({ description: 'what hooks did in settlements that were traced, oldest first' }),
    fills: z.array(fillSchema).openapi({ description: 'newest first, 100 at most' }),
  })
  .openapi('Receipt')

export type Receipt = z.infer<typeof receiptSchema>

/** @param isHidden whether the auction with this deadline block is not public yet */
export const toReceipt = (
  chainId: number,
  order: StoredOrder,
  facts: DebugFacts,
  isHidden: (deadlineBlock: number) => boolean,
): Receipt => {
  const { uid, owner, kind, sellToken, buyToken, quote } = order
  const executed = { executedSell: order.executedSellAmount, executedBuy: order.executedBuyAmount }
  const isFilled = executed.executedSell > 0n
  // a signed fee is no part of the price
  const sold = executed.executedSell - order.executedFeeAmount
  const surplus = computeSurplus({
    kind,
    limitSell: order.sellAmount,
    limitBuy: order.buyAmount,
    executedSell: sold,
    executedBuy: executed.executedBuy,
  })
  return {
    chainId,
    orderUid: uid,
    owner,
    receiver: order.receiver ?? owner,
    kind,
    sellToken,
    buyToken,
    limit: toAmounts(order.sellAmount, order.buyAmount),
    quote: quote && {
      ...toAmounts(quote.sellAmount, quote.buyAmount),
      feeAmount: quote.feeAmount.toString(),
      solver: quote.solver,
      verified: quote.verified,
    },
    executed: toAmounts(executed.executedSell, executed.executedBuy),
    surplus: { token: kind === 'sell' ? buyToken : sellToken, amount: (isFilled ? surplus : 0n).toString() },
    hooks: [
      ...order.preInteractions.map(({ target, callData }) => ({ stage: 'pre' as const, target, callData })),
      ...order.postInteractions.map(({ target, callData }) => ({ stage: 'post' as const, target, callData })),
    ],
    hookOutcomes: facts.events.flatMap(({ label, data }) =>
      label === 'traded' && data?.hooks ? (data.hooks as HookOutcome[]) : [],
    ),
    fills: facts.trades.map((trade) => toFill(order, facts, trade, isHidden)),
  }
}

const toAmounts = (sellAmount: bigint, buyAmount: bigint) => ({
  sellAmount: sellAmount.toString(),
  buyAmount: buyAmount.toString(),
})

const toFill = (
  order: StoredOrder,
  facts: DebugFacts,
  trade: DebugFacts['trades'][number],
  isHidden: (deadlineBlock: number) => boolean,
): Receipt['fills'][number] => {
  const { gasUsed, effectiveGasPrice, auctionId } = trade
  const auction = facts.auctions.find(({ id }) => id === auctionId)
  return {
    ...toAmounts(trade.sellAmount, trade.buyAmount),
    transactionHash: trade.transactionHash,
    blockNumber: trade.blockNumber,
    logIndex: trade.logIndex,
    signedFee: trade.feeAmount.toString(),
    solver: trade.solver,
    gas:
      gasUsed === null || effectiveGasPrice === null
        ? null
        : { used: gasUsed.toString(), price: effectiveGasPrice.toString() },
    competition: auction && !isHidden(auction.deadlineBlock) ? toCompetition(facts, auction, trade.solver) : null,
    fees: auctionId === null ? null : toFees(order, facts, auctionId),
  }
}

const toCompetition = (
  { solutions }: DebugFacts,
  { id, block, sellTokenPrice, buyTokenPrice }: DebugFacts['auctions'][number],
  solver: DebugFacts['trades'][number]['solver'],
): z.infer<typeof competitionSchema> => {
  // by rank, best first
  const offers = solutions.filter(({ auctionId }) => auctionId === id).toSorted((a, b) => a.uid - b.uid)
  const winner = offers.find((offer) => offer.isWinner && offer.solver === solver)
  const runnerUp = offers.find((offer) => !offer.filteredOut && !offer.isWinner && offer.solver !== solver)
  return {
    auctionId: id,
    block,
    winner: winner ? toOffer(winner) : null,
    runnerUp: runnerUp ? toOffer(runnerUp) : null,
    referencePrices: { sellToken: sellTokenPrice, buyToken: buyTokenPrice },
  }
}

const toOffer = ({ solver, score, executedSell, executedBuy }: DebugFacts['solutions'][number]) => ({
  solver,
  score: score.toString(),
  ...toAmounts(executedSell, executedBuy),
})

/** Policies apply in order, protocol before partners, so the last ones belong to the partners of the app data. */
const toFees = (order: StoredOrder, facts: DebugFacts, auctionId: number): Receipt['fills'][number]['fees'] => {
  const execution = facts.executions.find((each) => each.auctionId === auctionId)
  if (!execution) return null
  const { protocolFees } = execution
  const policies = facts.feePolicies.filter((policy) => policy.auctionId === auctionId)
  const firstPartner = protocolFees.length - order.partnerFees.length
  return {
    total: execution.executedFee.toString(),
    items: protocolFees.map(({ token, amount }, i) => ({
      policy: policies.length === protocolFees.length ? (policies[i]?.kind ?? null) : null,
      beneficiary: order.partnerFees[i - firstPartner]?.recipient ?? ('protocol' as const),
      token: token as `0x${string}`,
      amount,
    })),
  }
}

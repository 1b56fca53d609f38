import { z } from '@hono/zod-openapi'
import type { Address } from 'viem'
import type { SelectedTrade } from '#schema/queries/settlements/trades.ts'
import { addressSchema, amountTextSchema, hashSchema, orderUidSchema } from '#shared/validation/chainValues.ts'

const factorSchema = z.number().openapi({ description: 'a share: 0.01 is 1 %' })

const feePolicySchema = z.union([
  z.object({ surplus: z.object({ factor: factorSchema, maxVolumeFactor: factorSchema }) }),
  z.object({ volume: z.object({ factor: factorSchema }) }),
  z.object({
    priceImprovement: z.object({
      factor: factorSchema,
      maxVolumeFactor: factorSchema,
      quote: z
        .object({ sellAmount: amountTextSchema, buyAmount: amountTextSchema, fee: amountTextSchema })
        .nullable()
        .openapi({ description: 'reference amounts of the price improvement' }),
    }),
  }),
])

/** One trade of an order. */
export const tradeResponseSchema = z
  .object({
    blockNumber: z.number().int(),
    logIndex: z.number().int(),
    orderUid: orderUidSchema,
    owner: addressSchema,
    sellToken: addressSchema,
    buyToken: addressSchema,
    sellAmount: amountTextSchema.openapi({ description: 'amount that left the owner' }),
    sellAmountBeforeFees: amountTextSchema.openapi({ description: 'sellAmount minus the signed fee' }),
    buyAmount: amountTextSchema,
    txHash: hashSchema,
    executedProtocolFees: z
      .array(z.object({ policy: feePolicySchema, amount: amountTextSchema, token: addressSchema }))
      .openapi({ description: 'in the order of application; empty until the settlement is attributed' }),
  })
  .openapi('Trade')

export type TradeResponse = z.output<typeof tradeResponseSchema>

export const toTradeResponse = (selected: SelectedTrade): TradeResponse => {
  const { trade, feePolicies, protocolFees } = selected
  return {
    blockNumber: trade.blockNumber,
    logIndex: trade.logIndex,
    orderUid: trade.orderUid,
    owner: trade.owner,
    sellToken: trade.sellToken,
    buyToken: trade.buyToken,
    sellAmount: trade.sellAmount.toString(),
    sellAmountBeforeFees: (trade.sellAmount - trade.feeAmount).toString(),
    buyAmount: trade.buyAmount.toString(),
    txHash: trade.transactionHash,
    executedProtocolFees: feePolicies.flatMap((policy, index) => {
      const fee = protocolFees?.[index]
      if (!fee) return []
      const token = fee.token as Address
      return [{ policy: toPolicyResponse(policy, selected.quote), amount: fee.amount, token }]
    }),
  }
}

const toPolicyResponse = (policy: SelectedTrade['feePolicies'][number], quote: SelectedTrade['quote']) => {
  if (policy.kind === 'volume') return { volume: { factor: policy.volumeFactor ?? 0 } }
  if (policy.kind === 'surplus') {
    return { surplus: { factor: policy.surplusFactor ?? 0, maxVolumeFactor: policy.surplusMaxVolumeFactor ?? 0 } }
  }
  return {
    priceImprovement: {
      factor: policy.priceImprovementFactor ?? 0,
      maxVolumeFactor: policy.priceImprovementMaxVolumeFactor ?? 0,
      quote: quote && {
        sellAmount: quote.sellAmount.toString(),
        buyAmount: quote.buyAmount.toString(),
        fee: quote.feeAmount.toString(),
      },
    },
  }
}

import { z } from '@hono/zod-openapi'
import { toDecimalText } from '#shared/amounts/toDecimalText.ts'
import { fundingSchema } from '#shared/funding/fundingSchema.ts'
import type { Network } from '#shared/networks.ts'
import { amountTextSchema } from '#shared/validation/chainValues.ts'
import type { Quote } from '../amounts/buildQuote.ts'
import type { TradedAmounts } from '../amounts/computeAmountsLadder.ts'
import type { PreparedRequest } from '../request/prepareRequest.ts'
import { toBpsText } from './toBpsText.ts'
import { signableSchema, toSignable } from './toSignable.ts'
import { toVerificationResponse, verificationResponseSchema } from './toVerificationResponse.ts'

const decimalTextSchema = z.string().regex(/^\d+(\.\d+)?$/)
const rungSchema = z.object({ sellAmount: amountTextSchema, buyAmount: amountTextSchema })

export const quoteResponseSchema = z
  .object({
    quote: z.object({
      sellToken: z.string(),
      buyToken: z.string(),
      receiver: z.string().nullable(),
      sellAmount: amountTextSchema.openapi({
        description:
          'excludes feeAmount. Sign sellAmount, buyAmount and feeAmount unchanged with the id as quoteId, or sign sellAmount + feeAmount with feeAmount 0 as in signable',
      }),
      buyAmount: amountTextSchema.openapi({ description: 'before slippage' }),
      validTo: z.number().int(),
      appData: z.string().openapi({ description: 'the document when one was sent, else its hash' }),
      appDataHash: z.string(),
      feeAmount: amountTextSchema.openapi({ description: 'network fee in sell token atoms' }),
      gasAmount: decimalTextSchema,
      gasPrice: decimalTextSchema.openapi({ description: 'wei per gas unit' }),
      sellTokenPrice: decimalTextSchema.openapi({ description: 'wei per sell token atom' }),
      kind: z.enum(['sell', 'buy']),
      partiallyFillable: z.boolean(),
      sellTokenBalance: z.enum(['erc20', 'internal', 'external']),
      buyTokenBalance: z.enum(['erc20', 'internal']),
      signingScheme: z.enum(['eip712', 'ethsign', 'presign', 'eip1271']),
    }),
    from: z.string(),
    expiration: z.iso.datetime(),
    id: z.number().int().nullable().openapi({ description: 'null for a fast quote, which is not stored' }),
    verified: z.boolean().openapi({
      description: 'whether a simulation confirmed the amounts; false only if no simulation was possible',
    }),
    verification: verificationResponseSchema,
    protocolFeeBps: decimalTextSchema
      .optional()
      .openapi({ description: 'share of the volume for the protocol, already deducted from the amounts' }),
    amounts: z
      .object({
        beforeAllFees: rungSchema,
        afterNetworkFee: rungSchema,
        afterProtocolFee: rungSchema,
        afterPartnerFee: rungSchema.openapi({
          description: 'partner volume fees: those of the app data, or partnerFeeBps',
        }),
        afterSlippage: rungSchema.openapi({ description: 'the limit: the amounts of the order to sign' }),
      })
      .openapi('QuoteAmounts', {
        description: 'sell and buy amounts after each successive cost',
      }),
    slippageBps: z.number().int().min(0).max(9_999).openapi({
      description: 'basis points from amounts.afterPartnerFee to amounts.afterSlippage: requested or suggested',
    }),
    signable: signableSchema.nullable().openapi({ description: 'null for an order that a contract places on-chain' }),
    funding: fundingSchema.nullable(),
  })
  .openapi('QuoteResponse')

export type QuoteResponse = Omit<z.infer<typeof quoteResponseSchema>, 'funding'>

/** A `fast` quote is only indicative: orders cannot refer to it. */
export const notStored = { id: null, expiration: new Date(0) }

/** @param stored id and expiration of the stored quote, or `notStored` */
export const toQuoteResponse = (
  network: Pick<Network, 'chainId' | 'settlementContract'>,
  prepared: PreparedRequest,
  { estimate, feeAmount, ladder, slippageBps, offered, volumeFeePpm, gas, gasPrice, sellTokenPrice }: Quote,
  stored: { expiration: Date; id: number | null },
): QuoteResponse => {
  const { request, validTo, appData } = prepared
  const placedByContract = request.onchainOrder && request.signingScheme === 'eip1271'
  return {
    quote: {
      sellToken: request.sellToken,
      buyToken: request.buyToken,
      receiver: request.receiver,
      sellAmount: offered.sellAmount.toString(),
      buyAmount: offered.buyAmount.toString(),
      validTo,
      appData: appData.appData,
      appDataHash: appData.appDataHash,
      feeAmount: feeAmount.toString(),
      gasAmount: gas.toString(),
      gasPrice: gasPrice.toString(),
      sellTokenPrice: toDecimalText(sellTokenPrice),
      kind: request.kind,
      partiallyFillable: false,
      sellTokenBalance: request.sellTokenBalance,
      buyTokenBalance: request.buyTokenBalance,
      signingScheme: request.signingScheme,
    },
    from: request.from,
    expiration: stored.expiration.toISOString(),
    id: stored.id,
    verified: estimate.verification.status === 'passed',
    verification: toVerificationResponse(estimate.verification),
    ...(volumeFeePpm === undefined ? {} : { protocolFeeBps: toBpsText(volumeFeePpm) }),
    amounts: {
      beforeAllFees: toText(ladder.beforeAllFees),
      afterNetworkFee: toText(ladder.afterNetworkFee),
      afterProtocolFee: toText(ladder.afterProtocolFee),
      afterPartnerFee: toText(ladder.afterPartnerFee),
      afterSlippage: toText(ladder.afterSlippage),
    },
    slippageBps,
    signable: placedByContract ? null : toSignable(network, prepared, ladder.afterSlippage),
  }
}

const toText = ({ sellAmount, buyAmount }: TradedAmounts) => ({
  sellAmount: sellAmount.toString(),
  buyAmount: buyAmount.toString(),
})

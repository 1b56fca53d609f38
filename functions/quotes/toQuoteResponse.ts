import { z } from '@hono/zod-openapi'
import { toDecimalText } from '#shared/amounts/toDecimalText.ts'
import { amountTextSchema } from '#shared/validation/amount.ts'
import type { Quote } from './findBestQuote.ts'
import type { QuoteRequest } from './quoteRequest.ts'
import type { ResolvedAppData } from './resolveAppData.ts'

const decimalTextSchema = z.string().regex(/^\d+(\.\d+)?$/)

export const quoteResponseSchema = z
  .object({
    quote: z.object({
      sellToken: z.string(),
      buyToken: z.string(),
      receiver: z.string().nullable(),
      sellAmount: amountTextSchema.openapi({ description: 'without feeAmount; sign sellAmount + feeAmount' }),
      buyAmount: amountTextSchema,
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
    verified: z.boolean().openapi({ description: 'whether a simulation confirmed the amounts' }),
  })
  .openapi('QuoteResponse')

export type QuoteResponse = z.infer<typeof quoteResponseSchema>

export const toQuoteResponse = (
  request: QuoteRequest,
  { amounts, gas, gasPrice, sellTokenPrice }: Quote,
  rest: ResolvedAppData & { validTo: number; expiration: Date; id: number | null },
): QuoteResponse => ({
  quote: {
    sellToken: request.sellToken,
    buyToken: request.buyToken,
    receiver: request.receiver,
    sellAmount: amounts.sellAmount.toString(),
    buyAmount: amounts.buyAmount.toString(),
    validTo: rest.validTo,
    appData: rest.appData,
    appDataHash: rest.appDataHash,
    feeAmount: amounts.feeAmount.toString(),
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
  expiration: rest.expiration.toISOString(),
  id: rest.id,
  verified: false,
})

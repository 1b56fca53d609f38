import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectTokenMetadata } from '#schema/queries/tokens/tokenMetadata.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { addressSchema, amountTextSchema } from '#shared/validation/chainValues.ts'

const tokenMetadataSchema = z
  .object({
    firstTradeBlock: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'earliest block in which the token was traded; null: never' }),
    nativePrice: amountTextSchema
      .nullable()
      .openapi({ description: 'wei per 10¹⁸ atoms in the newest auction with a price for the token; null: none' }),
  })
  .openapi('TokenMetadata')

const getTokenMetadataRoute = createRoute({
  ...endpoint('getTokenMetadata'),
  tags: ['Quotes'],
  summary: 'First trade and latest auction price of a token',
  description: 'Unknown tokens return nulls, not 404.',
  request: { params: z.object({ token: addressSchema }) },
  responses: {
    200: {
      description: 'first trade and auction price',
      content: { 'application/json': { schema: tokenMetadataSchema } },
    },
    ...errorResponses('InvalidParameter'),
  },
})

/** Wei per 10¹⁸ atoms of the native and the wrapped native token. */
const nativeUnit = 10n ** 18n

/**
 * `GET /{network}/api/v1/token/{token}/metadata`: first trade and latest auction price of a token, in one database
 * query.
 */
export const getTokenMetadata = ({ database, network }: { database: Database; network: Network }) =>
  createApp().openapi(getTokenMetadataRoute, async (c) => {
    const { token } = c.req.valid('param')
    const known = await selectTokenMetadata(database, network.chainId, token)
    const isNative = token === nativeSentinel || token === network.wrappedNative
    const nativePrice = isNative ? nativeUnit : known.nativePrice
    c.header('Cache-Control', cachePolicies.tokenMetadata)
    return c.json({ firstTradeBlock: known.firstTradeBlock, nativePrice: nativePrice?.toString() ?? null }, 200)
  })

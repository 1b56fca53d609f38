import { createRoute, z } from '@hono/zod-openapi'
import { endpoint } from '#shared/api/endpoint.ts'
import { createApp } from '#shared/http/createApp.ts'
import { auxiliaryFormat } from '#shared/http/errorFormats.ts'
import { messageResponses } from '#shared/http/messageResponses.ts'
import { affiliateCodeType, signedChainId, toAffiliateDomain } from './computeAffiliateDigest.ts'

const typedDataSchema = z
  .object({
    domain: z.object({ name: z.string(), version: z.string() }).openapi({
      description: 'of this deployment; without chain id and verifying contract',
    }),
    types: z.object({ AffiliateCode: z.array(z.object({ name: z.string(), type: z.string() })) }),
    primaryType: z.literal('AffiliateCode'),
    message: z.object({ chainId: z.literal(signedChainId) }).openapi({
      description: 'add `walletAddress` in lower case, and `code` exactly as in the registration',
    }),
  })
  .openapi('AffiliateTypedData')

const getAffiliateTypedDataRoute = createRoute({
  ...endpoint('getAffiliateTypedData'),
  tags: ['Affiliates'],
  summary: 'Typed data of a registration',
  description: 'Everything that a client needs to build and sign the message of a registration (EIP-712).',
  responses: {
    200: { description: 'the typed data', content: { 'application/json': { schema: typedDataSchema } } },
    ...messageResponses([]),
  },
})

/** `GET /affiliate/typed-data` */
export const getAffiliateTypedData = (serviceName: string) =>
  createApp(auxiliaryFormat).openapi(getAffiliateTypedDataRoute, (c) =>
    c.json(
      {
        domain: toAffiliateDomain(serviceName),
        types: { AffiliateCode: [...affiliateCodeType] },
        primaryType: 'AffiliateCode' as const,
        message: { chainId: signedChainId },
      },
      200,
    ),
  )

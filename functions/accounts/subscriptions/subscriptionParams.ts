import { z } from '@hono/zod-openapi'
import { addressSchema } from '#shared/validation/chainValues.ts'

export const accountParamsSchema = z.object({
  account: addressSchema.openapi({ param: { name: 'account', in: 'path' } }),
})

export const subscriptionParamsSchema = accountParamsSchema.extend({
  id: z
    .uuid({ error: 'the id of a subscription' })
    .openapi({ param: { name: 'id', in: 'path' }, example: '01a2b3c4-0000-4000-8000-000000000000' }),
})

/** The token of a link: 32 random bytes. */
export const linkParamsSchema = z.object({
  token: z
    .string()
    .regex(/^[\w-]{43}$/, 'the token of a link')
    .openapi({ param: { name: 'token', in: 'path' }, example: 'Zm9yIGV4YW1wbGU6IDMyIHJhbmRvbSBieXRlcyBoZXI' }),
})

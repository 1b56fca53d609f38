import { z } from '@hono/zod-openapi'
import { addressSchema } from '#shared/validation/chainValues.ts'

export const accountParamsSchema = z.object({
  account: addressSchema.openapi({ param: { name: 'account', in: 'path' } }),
})

export const subscriptionParamsSchema = accountParamsSchema.extend({
  id: z.uuid({ error: 'the id of a subscription' }).openapi({ param: { name: 'id', in: 'path' } }),
})

/** The token of a link: 32 random bytes. */
export const linkParamsSchema = z.object({
  token: z
    .string()
    .regex(/^[\w-]{43}$/, 'the token of a link')
    .openapi({ param: { name: 'token', in: 'path' } }),
})

import { z } from '@hono/zod-openapi'

/** A current pause, as responses have it. */
export const pauseSchema = z
  .object({
    subject: z.string().openapi({
      description: '`network`, `orders`, `quotes`, `solver:<address>` or `token:<address>`',
      example: 'orders',
    }),
    reason: z.string(),
    since: z.iso.datetime(),
  })
  .openapi('Pause')

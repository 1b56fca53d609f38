import { z } from '@hono/zod-openapi'

/** The `responses` of a route that answers with a file. */
export const fileResponses = (...contentTypes: string[]) => ({
  200: {
    description: 'the file',
    content: Object.fromEntries(contentTypes.map((type) => [type, { schema: z.string() }])),
  },
  304: { description: 'the file is as `If-None-Match` says' },
})

/** No slash, no dot in front: it stays in its folder. */
export const fileNameSchema = z.string().regex(/^[\w-][\w.-]{0,63}$/, 'the name of a file')

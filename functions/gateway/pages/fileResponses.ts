import { z } from '@hono/zod-openapi'

/** The `responses` of a route that serves a file. */
export const fileResponses = (...contentTypes: string[]) => ({
  200: {
    description: 'the file',
    content: Object.fromEntries(contentTypes.map((type) => [type, { schema: z.string() }])),
  },
  304: { description: 'the file matches `If-None-Match`' },
})

/** No slash and no leading dot: the path stays inside its folder. */
export const fileNameSchema = z.string().regex(/^[\w-][\w.-]{0,63}$/, 'a file name')

import { createRoute, z } from '@hono/zod-openapi'
import type { Database } from '#schema/client.ts'
import { selectAppData } from '#schema/queries/orders/appData.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { ApiError } from '#shared/http/errors.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { hashInputSchema } from '#shared/validation/chainValues.ts'

const maxDocumentLength = 8_192

/**
 * A hash or a document: the public explorer puts the `appData` of a returned order into the path, which may be the
 * document.
 */
const subjectSchema = z.string().transform((text, context) => {
  if (isDocument(text)) return { fullAppData: text }
  const { data: hash, error } = hashInputSchema.safeParse(text)
  if (hash) return { hash }
  context.addIssue({ code: 'custom', message: error.issues[0]?.message ?? 'a 32-byte hash' })
  return z.NEVER
})

const isDocument = (text: string): boolean => {
  if (!text.startsWith('{') || text.length > maxDocumentLength) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const getAppDataRoute = createRoute({
  ...endpoint('getAppData'),
  tags: ['App data'],
  summary: 'Read an app data document',
  description:
    'The document with this hash, byte for byte as uploaded. A URL-encoded JSON document in place of the hash is returned ' +
    'unchanged.',
  request: {
    params: z.object({ hash: subjectSchema.openapi({ type: 'string', example: exampleValues.appDataHash }) }),
  },
  responses: {
    200: {
      description: 'the document',
      content: { 'application/json': { schema: z.object({ fullAppData: z.string() }) } },
    },
    ...errorResponses('InvalidParameter', 'NotFound', 'InternalServerError', 'ServiceUnavailable'),
  },
})

/** `GET /{network}/api/v1/app_data/{hash}`: documents are immutable. */
export const getAppData = (database: Database) =>
  createApp().openapi(getAppDataRoute, async (c) => {
    const subject = c.req.valid('param').hash
    if (subject.fullAppData !== undefined) return c.json({ fullAppData: subject.fullAppData }, 200)
    const { hash } = subject
    const fullAppData = await selectAppData(database, hash)
    if (fullAppData === undefined) {
      throw new ApiError('NotFound', { description: 'full app data not found', data: { hash } })
    }
    c.header('Cache-Control', cachePolicies.immutable)
    return c.json({ fullAppData }, 200)
  })

import { createRoute, z } from '@hono/zod-openapi'
import type { Hex } from 'viem'
import type { Database } from '#schema/client.ts'
import { insertAppData } from '#schema/queries/orders/appData.ts'
import { endpoint } from '#shared/api/endpoint.ts'
import { readAppDataDocument } from '#shared/appData/readAppData.ts'
import { createApp } from '#shared/http/createApp.ts'
import { errorResponses } from '#shared/http/errorResponses.ts'
import { exampleValues } from '#shared/orders/exampleValues.ts'
import { hashInputSchema, hashSchema } from '#shared/validation/chainValues.ts'

const bodySchema = z.object({
  fullAppData: z.string({ error: 'a JSON document as text' }).openapi({ example: '{"appCode":"example"}' }),
})

const storedResponses = {
  200: {
    description: 'the document already existed; its hash',
    content: { 'application/json': { schema: hashSchema } },
  },
  201: {
    description: 'stored; the hash of the document',
    content: { 'application/json': { schema: hashSchema } },
  },
  ...errorResponses(
    'InvalidParameter',
    'InvalidAppData',
    'PayloadTooLarge',
    'UnsupportedMediaType',
    'InternalServerError',
    'ServiceUnavailable',
  ),
}

const body = {
  required: true,
  content: { 'application/json': { schema: bodySchema, example: { fullAppData: exampleValues.fullAppData } } },
}

const putAppDataRoute = createRoute({
  ...endpoint('putAppData'),
  tags: ['App data'],
  summary: 'Upload an app data document',
  description:
    'Stores a document, so that orders can refer to it by the returned hash. A document that no order has is deleted 30 days after its ' +
    'last upload.',
  request: { body },
  responses: storedResponses,
})

const putAppDataByHashRoute = createRoute({
  ...endpoint('putAppDataByHash'),
  tags: ['App data'],
  summary: 'Upload an app data document under its hash',
  description: 'Stores a document after checking that it has the hash in the path.',
  request: {
    params: z.object({ hash: hashInputSchema.openapi({ example: exampleValues.appDataHash }) }),
    body,
  },
  responses: { ...storedResponses, ...errorResponses('InvalidParameter', 'InvalidAppData', 'AppDataHashMismatch') },
})

/** `PUT /{network}/api/v1/app_data` and `…/app_data/{hash}`: uploads a document; idempotent. */
export const putAppData = (database: Database) => {
  const store = async (document: string, expected?: Hex) => {
    const { appDataHash: hash } = readAppDataDocument(document, expected, 'fullAppData')
    return { hash, created: await insertAppData(database, hash, document) }
  }
  return createApp()
    .openapi(putAppDataRoute, async (c) => {
      const { hash, created } = await store(c.req.valid('json').fullAppData)
      return created ? c.json(hash, 201) : c.json(hash, 200)
    })
    .openapi(putAppDataByHashRoute, async (c) => {
      const { hash, created } = await store(c.req.valid('json').fullAppData, c.req.valid('param').hash)
      return created ? c.json(hash, 201) : c.json(hash, 200)
    })
}

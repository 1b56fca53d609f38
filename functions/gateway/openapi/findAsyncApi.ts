import { z } from '@hono/zod-openapi'
import { ApiError } from '#shared/http/errors.ts'
import { networkNames } from '#shared/networks.ts'
import type { Workers } from '../routing/connectWorkers.ts'

export const asyncApiSchema = z.looseObject({
  asyncapi: z.literal('3.0.0'),
  info: z.looseObject({ title: z.string(), version: z.string() }),
})

export type AsyncApiDocument = z.output<typeof asyncApiSchema>

/**
 * The AsyncAPI document of the streams Worker; all networks run the same code, so the first deployed one is representative.
 * @throws ApiError `ServiceUnavailable` when no network is deployed, or the Worker fails
 */
export const findAsyncApi = async (workers: Workers, version: string): Promise<AsyncApiDocument> => {
  const name = networkNames.find((network) => workers[network])
  const request = new Request('http://streams/asyncapi.json')
  const response = await (name && workers[name]?.streams?.(request).catch(() => undefined))
  const document = response?.ok ? asyncApiSchema.safeParse(await response.json()).data : undefined
  if (document) return { ...document, info: { ...document.info, version } }
  throw new ApiError('ServiceUnavailable', { context: { network: name ?? null, cause: 'no AsyncAPI document' } })
}

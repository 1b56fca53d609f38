import { z } from 'zod'
import type { Subscription } from '#schema/queries/subscriptions.ts'
import { ApiError } from '#shared/http/errors.ts'
import { fromSchemaError } from '#shared/http/toApiError.ts'
import { jsonTextSchema } from '#shared/validation/jsonText.ts'

const requestSchema = jsonTextSchema.pipe(z.object({ subscriptionId: z.uuid() }))

export type FindSubscription = (id: string) => Promise<Subscription | undefined>

/**
 * The subscription that a request of another Worker names, `{ subscriptionId }`.
 * @throws ApiError `InvalidParameter`, and `NotFound` when there is none
 */
export const readSubscription = async (request: Request, find: FindSubscription): Promise<Subscription> => {
  const parsed = requestSchema.safeParse(await request.text())
  if (!parsed.success) throw fromSchemaError(parsed.error, undefined)
  const subscription = await find(parsed.data.subscriptionId)
  if (subscription) return subscription
  throw new ApiError('NotFound', { description: 'there is no such subscription' })
}

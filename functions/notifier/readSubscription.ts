import { z } from 'zod'
import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import { ApiError } from '#shared/http/errors.ts'
import { fromSchemaError } from '#shared/http/toApiError.ts'
import { jsonTextSchema } from '#shared/validation/settingFormats.ts'

const requestSchema = jsonTextSchema.pipe(z.object({ subscriptionId: z.uuid() }))

export type FindSubscription = (id: string) => Promise<Subscription | undefined>

/**
 * Finds the subscription of an internal request, `{ subscriptionId }`.
 * @throws ApiError `InvalidParameter`, `NotFound`
 */
export const readSubscription = async (request: Request, find: FindSubscription): Promise<Subscription> => {
  const parsed = requestSchema.safeParse(await request.text())
  if (!parsed.success) throw fromSchemaError(parsed.error, undefined)
  const subscription = await find(parsed.data.subscriptionId)
  if (subscription) return subscription
  throw new ApiError('NotFound', { description: 'no such subscription' })
}

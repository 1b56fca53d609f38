import type { PlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import { ApiError } from '#shared/http/errors.ts'
import { computeOrderStatus } from '#shared/orders/computeOrderStatus.ts'

/**
 * @param now Unix seconds
 * @throws ApiError `DuplicatedOrder`, with the status of the existing order
 */
export const checkNotDuplicate = (duplicate: PlacementFacts['duplicate'], now: number): void => {
  if (!duplicate) return
  const status = computeOrderStatus(duplicate, now)
  const creationDate = duplicate.createdAt.toISOString()
  throw new ApiError('DuplicatedOrder', { data: { uid: duplicate.uid, status, creationDate } })
}

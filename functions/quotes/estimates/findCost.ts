import { BaseError } from 'viem'
import { ApiError } from '#shared/http/errors.ts'
import { withDeadline } from '#shared/withDeadline.ts'

/**
 * Reads a cost of settlements from the node.
 * @throws ApiError `ServiceUnavailable` when the node does not respond within `timeoutMs`
 */
export const findCost = async (read: () => Promise<bigint>, timeoutMs: number): Promise<bigint> => {
  try {
    return await withDeadline(read(), timeoutMs)
  } catch (error) {
    throw new ApiError('ServiceUnavailable', {
      data: { dependency: 'rpc', retryable: true },
      // the full message of a client error contains the endpoint's URL, which may contain a key
      context: { cause: error instanceof BaseError ? error.shortMessage : 'no response in time' },
    })
  }
}

import { BaseError } from 'viem'
import { ApiError } from '#shared/http/errors.ts'

/**
 * Reads a cost of settlements from the node.
 * @throws ApiError `ServiceUnavailable` when the node does not respond within `timeoutMs`
 */
export const findCost = async (read: () => Promise<bigint>, timeoutMs: number): Promise<bigint> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('late')), timeoutMs)
  try {
    return await Promise.race([read(), late.promise])
  } catch (error) {
    throw new ApiError('ServiceUnavailable', {
      data: { dependency: 'rpc', retryable: true },
      // the full message of a client error contains the endpoint's URL, which may contain a key
      context: { cause: error instanceof BaseError ? error.shortMessage : 'no response in time' },
    })
  } finally {
    clearTimeout(timer)
  }
}

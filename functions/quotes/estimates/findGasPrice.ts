import { BaseError } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { ApiError } from '#shared/http/errors.ts'

/**
 * Gas price of a settlement sent now.
 * @returns wei per gas unit
 * @throws ApiError `ServiceUnavailable` when the node does not respond within `timeoutMs`
 */
export const findGasPrice = async (chain: Pick<ChainClient, 'getGasPrice'>, timeoutMs: number): Promise<bigint> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('late')), timeoutMs)
  try {
    return await Promise.race([chain.getGasPrice(), late.promise])
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

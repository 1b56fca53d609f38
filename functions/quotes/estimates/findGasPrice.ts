import { BaseError } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { ApiError } from '#shared/http/errors.ts'

/**
 * What a unit of gas costs a settlement sent now.
 * @returns wei per gas unit
 * @throws ApiError `ServiceUnavailable` when the chain's node does not say within `timeoutMs`
 */
export const findGasPrice = async (chain: Pick<ChainClient, 'getGasPrice'>, timeoutMs: number): Promise<bigint> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('late')), timeoutMs)
  try {
    return await Promise.race([chain.getGasPrice(), late.promise])
  } catch (error) {
    throw new ApiError('ServiceUnavailable', {
      data: { dependency: 'rpc', retryable: true },
      // the full message of a client error carries the endpoint's URL, which may hold a key
      context: { cause: error instanceof BaseError ? error.shortMessage : 'no answer in time' },
    })
  } finally {
    clearTimeout(timer)
  }
}

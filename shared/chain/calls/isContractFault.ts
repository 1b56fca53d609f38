import { BaseError, ResponseBodyTooLargeError, RpcRequestError } from 'viem'
import { isNodeFault } from './isNodeFault.ts'

/**
 * Whether a call failed because of the called contract. Every JSON-RPC error response counts, except those that only
 * the node can cause: an outage must never be attributed to a contract.
 */
export const isContractFault = (error: unknown): boolean => {
  if (!(error instanceof BaseError)) return false
  if (error.walk((cause) => cause instanceof ResponseBodyTooLargeError)) return true
  const response = error.walk((cause) => cause instanceof RpcRequestError)
  if (!(response instanceof RpcRequestError)) return false
  const { code, details, data } = response
  return !isNodeFault({ code, message: details, data })
}

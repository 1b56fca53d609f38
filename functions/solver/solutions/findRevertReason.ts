import { type AccessList, type Address, BaseError, ExecutionRevertedError, type Hex, RpcRequestError } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { decodeRevertReason } from '#shared/chain/decodeRevertReason.ts'
import { isContractFault } from '#shared/chain/isContractFault.ts'
import { describeError } from '#shared/http/describeError.ts'

const maxReasonLength = 200

/**
 * Runs a call on the latest block without sending it.
 * @returns undefined when it succeeds, else why it fails in one line
 * @throws viem errors when the node fails
 */
export const findRevertReason = async (
  client: ChainClient,
  call: { account: Address; to: Address; data: Hex; accessList?: AccessList },
): Promise<string | undefined> => {
  try {
    await client.call(call)
    return undefined
  } catch (error) {
    const reason = decodeRevert(error)
    if (reason !== undefined) return reason
    if (isContractFault(error)) return describeError(error).slice(0, maxReasonLength)
    throw error
  }
}

/** The reason of a call that was reverted; undefined for every other failure. */
export const decodeRevert = (error: unknown): string | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const reverted = error.walk((cause) => cause instanceof ExecutionRevertedError)
  const answer = error.walk((cause) => cause instanceof RpcRequestError)
  const data = answer instanceof RpcRequestError ? (answer.data as Hex | undefined) : undefined
  if (!reverted && !data) return undefined
  return (decodeRevertReason(data) ?? (answer as RpcRequestError | null)?.details ?? 'execution reverted').slice(
    0,
    maxReasonLength,
  )
}

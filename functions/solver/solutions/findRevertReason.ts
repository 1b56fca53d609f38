import { type AccessList, type Address, BaseError, ExecutionRevertedError, type Hex, RpcRequestError } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { decodeRevertReason } from '#shared/chain/decodeRevertReason.ts'
import { redact } from '#shared/http/redact.ts'
import type { SendingTerms } from '../settling/findSendingTerms.ts'

const maxReasonLength = 200
/** "limit exceeded" (EIP-1474): the node refuses the caller, not the call */
const limitExceeded = -32_005

/**
 * Runs a call on the latest block without sending it.
 * @returns undefined when it succeeds, else why it reverts in one line
 * @throws viem errors when the node gives no answer
 */
export const findRevertReason = async (
  client: ChainClient,
  call: { account: Address; to: Address; data: Hex; accessList?: AccessList } & SendingTerms,
): Promise<string | undefined> => {
  try {
    await client.call(call)
    return undefined
  } catch (error) {
    const reason = decodeRevert(error)
    if (reason === undefined) throw error
    return reason
  }
}

/**
 * The reason of a call that the node answered with an error. Nodes word what contracts do in many ways, so every error
 * response counts; undefined without a response, and for a node that limits its callers.
 */
export const decodeRevert = (error: unknown): string | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const reverted = error.walk((cause) => cause instanceof ExecutionRevertedError)
  const answer = error.walk((cause) => cause instanceof RpcRequestError) as RpcRequestError | null
  if (!reverted && (!answer || answer.code === limitExceeded)) return undefined
  const reason = decodeRevertReason(answer?.data as Hex | undefined) ?? answer?.details ?? 'execution reverted'
  return redact(reason).slice(0, maxReasonLength)
}

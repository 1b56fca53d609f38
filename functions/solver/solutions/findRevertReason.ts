import { type AccessList, type Address, BaseError, type Hex, RpcRequestError } from 'viem'
import { decodeRevertReason } from '#shared/chain/calls/decodeRevertReason.ts'
import { isContractFault } from '#shared/chain/calls/isContractFault.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { inNextBlock, type NextBlock } from '#shared/chain/nextBlock.ts'
import { redact } from '#shared/logging/redact.ts'
import { toLine } from '#shared/toLine.ts'
import type { SendingTerms } from '../sending/findSendingTerms.ts'

const maxReasonLength = 200

/**
 * Runs a call in the block after the latest, or in the pending one, without sending it.
 * @param next undefined for the pending block
 * @returns undefined when it succeeds, else the reason in one line
 * @throws viem errors when the node fails
 */
export const findRevertReason = async (
  client: ChainClient,
  call: { account: Address; to: Address; data: Hex; accessList?: AccessList; blockTag?: 'pending' } & SendingTerms,
  next: NextBlock | undefined,
): Promise<string | undefined> => {
  try {
    await inNextBlock(client, next, (blockOverrides) =>
      client.call({ ...call, ...(blockOverrides && { blockOverrides }) }),
    )
    return undefined
  } catch (error) {
    const reason = decodeRevert(error)
    if (reason === undefined) throw error
    return reason
  }
}

/**
 * Reason of a call that failed because of a contract (`isContractFault`), in one line without control characters; undefined
 * when the node failed.
 */
export const decodeRevert = (error: unknown): string | undefined => {
  if (!(error instanceof BaseError) || !isContractFault(error)) return undefined
  const answer = error.walk((cause) => cause instanceof RpcRequestError) as RpcRequestError | null
  const reason = decodeRevertReason(answer?.data as Hex | undefined) ?? answer?.details ?? error.shortMessage
  return toLine(redact(reason), maxReasonLength)
}

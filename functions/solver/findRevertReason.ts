import {
  type Address,
  BaseError,
  decodeErrorResult,
  ExecutionRevertedError,
  type Hex,
  parseAbi,
  RpcRequestError,
} from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'

/** what Solidity itself reverts with */
const solidityErrors = parseAbi(['error Error(string reason)', 'error Panic(uint256 code)'])

const maxReasonLength = 200

/**
 * Runs a call on the latest block without sending it.
 * @returns undefined when it succeeds, else why it reverts in one line
 * @throws viem errors when the chain cannot be asked
 */
export const findRevertReason = async (
  client: ChainClient,
  call: { account: Address; to: Address; data: Hex },
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

/** The reason of a call that was reverted; undefined for every other failure. */
export const decodeRevert = (error: unknown): string | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const reverted = error.walk((cause) => cause instanceof ExecutionRevertedError)
  const answer = error.walk((cause) => cause instanceof RpcRequestError)
  const data = answer instanceof RpcRequestError ? (answer.data as Hex | undefined) : undefined
  if (!reverted && !data) return undefined
  return (decodeReason(data) ?? (answer as RpcRequestError | null)?.details ?? 'execution reverted').slice(
    0,
    maxReasonLength,
  )
}

const decodeReason = (data: Hex | undefined): string | undefined => {
  if (data === undefined || data === '0x') return undefined
  try {
    const { errorName, args } = decodeErrorResult({ abi: solidityErrors, data })
    return errorName === 'Error' ? args[0] : `panic ${args[0]}`
  } catch {
    return `reverted with ${data.slice(0, 10)}`
  }
}

import { type Address, type Hex, MethodNotFoundRpcError, MethodNotSupportedRpcError, toFunctionSelector } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { NodeError } from '../../chain/NodeError.ts'
import { toLowerAddress } from '../../chain/toLowerAddress.ts'

/** A `settle` call inside a transaction: its calldata and the call path from the sender. */
export type SettleCall = { input: Hex; callers: Address[] }

/** A frame of the `callTracer`. */
type CallFrame = { type: string; from: Address; to?: Address; input?: Hex; error?: string; calls?: CallFrame[] }

const selector = toFunctionSelector(
  settlementAbi.find((item) => item.type === 'function' && item.name === 'settle') as never,
)
/** Maximum number of frames read per trace. */
const maxFrames = 20_000

/**
 * Finds the effective `settle` calls of a mined transaction, in order, from a call trace; its size and time are bounded
 * like those of every call.
 * @returns undefined when the node does not support tracing
 * @throws NodeError when the trace is too long or invalid; viem errors when the node fails
 */
export const findSettleCalls = async (
  chain: ChainClient,
  settlementContract: Address,
  hash: Hex,
): Promise<SettleCall[] | undefined> => {
  const trace = await findTrace(chain, hash)
  if (!trace) return undefined
  const found: SettleCall[] = []
  let frames = 0
  const visit = (frame: CallFrame, callers: Address[]): void => {
    frames += 1
    if (frames > maxFrames) throw new NodeError(`the trace of ${hash} is longer than ${maxFrames} calls`)
    // a failed call has no effect
    if (frame.error !== undefined) return
    const path = [...callers, toLowerAddress(frame.from)]
    const isSettle = frame.type === 'CALL' && frame.input?.startsWith(selector) && frame.to !== undefined
    if (isSettle && toLowerAddress(frame.to as Address) === settlementContract) {
      found.push({ input: frame.input as Hex, callers: path })
      return
    }
    for (const call of frame.calls ?? []) visit(call, path)
  }
  visit(trace, [])
  return found
}

const findTrace = async (chain: ChainClient, hash: Hex): Promise<CallFrame | undefined> => {
  const params = [hash, { tracer: 'callTracer', timeout: '5s' }]
  try {
    const trace = (await chain.request({ method: 'debug_traceTransaction', params } as never)) as CallFrame | null
    if (typeof trace?.from !== 'string') throw new NodeError(`no trace of ${hash}`)
    return trace
  } catch (error) {
    if (error instanceof MethodNotFoundRpcError || error instanceof MethodNotSupportedRpcError) return undefined
    throw error
  }
}

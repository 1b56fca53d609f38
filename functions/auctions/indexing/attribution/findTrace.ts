import { type Address, type Hex, MethodNotFoundRpcError, MethodNotSupportedRpcError } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { NodeError } from '../../chain/NodeError.ts'

/** A frame of the `callTracer`. */
export type CallFrame = {
  type: string
  from: Address
  to?: Address
  input?: Hex
  gasUsed?: Hex
  error?: string
  calls?: CallFrame[]
}

/** Maximum number of frames read per trace. */
const maxFrames = 20_000

/**
 * Requests the call trace of a mined transaction; its size and time are bounded like those of every call.
 * @returns undefined when the node does not support tracing
 * @throws NodeError when the trace is invalid; viem errors when the node fails
 */
export const findTrace = async (chain: ChainClient, hash: Hex): Promise<CallFrame | undefined> => {
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

/**
 * Visits the effective frames of a trace in order; a failed call has no effect.
 * @param visit receives the accounts on the path to the frame; false: the calls of this frame are not visited
 * @throws NodeError when the trace is too long
 */
export const visitFrames = (
  trace: CallFrame,
  visit: (frame: CallFrame, callers: readonly Address[]) => boolean,
): void => {
  let frames = 0
  const walk = (frame: CallFrame, callers: readonly Address[]): void => {
    frames += 1
    if (frames > maxFrames) throw new NodeError(`the trace of a transaction is longer than ${maxFrames} calls`)
    if (frame.error !== undefined || !visit(frame, callers)) return
    for (const call of frame.calls ?? []) walk(call, [...callers, frame.from])
  }
  walk(trace, [])
}

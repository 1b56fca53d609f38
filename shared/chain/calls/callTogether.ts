import { type Address, type CallParameters, type Hex, size, slice } from 'viem'
import { maxOf } from '../../amounts/minMax.ts'
import { mapBounded } from '../../mapBounded.ts'
import type { ChainClient } from '../connectChain.ts'
import { inNextBlock, type NextBlock } from '../nextBlock.ts'
import { decodeAsSettlement, encodeAsSettlement, placeCode } from './asSettlement.ts'
import {
  buildCallProgram,
  callHeadBytes,
  maxResultBytes,
  type ProgramCall,
  readProgramResults,
  reservedGas,
  resultHeadBytes,
} from './buildCallProgram.ts'
import { isContractFault } from './isContractFault.ts'

/**
 * Return data of a call; `failed` when the contract reverted, `exhausted` when it ran out of gas; `notRequested` when
 * the bounds of the batch were reached before.
 */
export type CallOutcome = Hex | 'failed' | 'exhausted' | 'notRequested'

export type CallBounds = {
  /** gas units for each call */
  gasEach: bigint
  /** maximum bytes copied of each call's return data */
  maxBytes?: number
  /** maximum number of `eth_call`s for the whole batch, control calls included */
  maxRequests?: number
  /** no further `eth_call` starts after this time */
  signal?: AbortSignal
  /** the settlement contract makes the calls; by default an account without code */
  caller?: Address
  /** default: the head, where several `eth_call`s of a batch may see several blocks */
  blockNumber?: bigint
  /** whose facts the contracts read: those of the block that will contain what they decide about */
  next?: NextBlock
  /** receives the data of a call that reverted, at most `maxBytes` of it, by the call's place */
  onRevert?: (place: number, data: Hex) => void
}

/** below the gas limit of a transaction (EIP-7825), which some nodes apply to calls */
const batchGas = 16_000_000n
/** below the limit of a contract's creation code (EIP-3860) */
const batchBytes = 45_000
/** A Worker has six connections. */
const parallelRequests = 4
/** A node that fails half of its requests must not make a contract look broken: its control calls succeed as often. */
const maxRetries = 4
const word = 32

/**
 * Calls many contracts in few `eth_call`s, each with its own gas and return data: a contract can only fail its own
 * call. An `eth_call` that fails as a whole is bisected, down to a single contract, as long as the node responds to a
 * call without contracts.
 * @returns outcomes in the order of the calls, which is also the order of execution
 * @throws Error when the node fails: an outage is never attributed to a contract
 */
export const callTogether = async (
  client: Pick<ChainClient, 'call'>,
  calls: readonly ProgramCall[],
  bounds: CallBounds,
): Promise<CallOutcome[]> => {
  const { gasEach, maxBytes = word, maxRequests = 64, signal, blockNumber, next, caller, onRevert } = bounds
  const outcomes: CallOutcome[] = calls.map(() => 'notRequested')
  const gas = maxOf((gasEach * 64n) / 63n + reservedGas + 1_500_000n, batchGas)
  let left = maxRequests

  const request = async (part: readonly ProgramCall[]) => {
    left -= 1
    const [first] = part
    if (first && part.length === 1 && size(first.callData) > batchBytes) return requestAlone(first)
    const program = buildCallProgram(part, { gasEach, maxBytes })
    return readProgramResults((await runAsCaller(program, part.length === 0)) ?? (await run({ data: program, gas })))
  }
  const run = async (call: Pick<CallParameters, 'to' | 'data' | 'gas' | 'stateOverride'>): Promise<Hex> => {
    const { data } = await inNextBlock(client, next, (blockOverrides) =>
      client.call({ ...call, blockNumber, blockOverrides }),
    )
    return data ?? '0x'
  }
  let takesOverrides = caller !== undefined
  /** @returns undefined without a caller, and when the node takes no state overrides */
  const runAsCaller = async (program: Hex, isControl: boolean) => {
    if (!caller || !takesOverrides) return undefined
    try {
      const call = { to: caller, data: encodeAsSettlement('0x'), gas, stateOverride: placeCode(program) }
      const returned = await run(call)
      return decodeAsSettlement(returned) ?? (isControl && returned !== '0x' ? '0x' : undefined)
    } catch (error) {
      if (!isControl) throw error
      takesOverrides = false
      return undefined
    }
  }
  /** Outcome of data that exceeds the size of creation code. */
  const requestAlone = async ({ target, callData }: ProgramCall) => {
    const intrinsicGas = 21_000n + 40n * BigInt(size(callData))
    const data = await run({ to: target, data: callData, gas: gasEach + intrinsicGas })
    return [{ succeeded: true, exhausted: false, returnData: slice(data, 0, Math.min(maxBytes, size(data))) }]
  }
  const checkNode = async (error: unknown): Promise<void> => {
    await request([]).catch(() => {
      throw error
    })
  }
  const callPart = async (from: number, to: number, retries = 0): Promise<void> => {
    while (from < to && left > 0 && !signal?.aborted) {
      try {
        const results = await request(calls.slice(from, to))
        for (const { succeeded, exhausted, returnData } of results) {
          outcomes[from] = succeeded ? returnData : exhausted ? 'exhausted' : 'failed'
          if (outcomes[from] === 'failed') onRevert?.(from, returnData)
          from += 1
        }
        if (results.length === 0) return
      } catch (error) {
        const tookOverrides = takesOverrides
        await checkNode(error)
        if (takesOverrides !== tookOverrides) continue
        if (to - from > 1) {
          const middle = Math.ceil((from + to) / 2)
          await callPart(from, middle)
          from = middle
        } else if (retries === maxRetries || isContractFault(error)) {
          outcomes[from] = 'failed'
          return
        } else {
          return callPart(from, to, retries + 1)
        }
      }
    }
  }
  await mapBounded(listParts(calls, maxBytes), parallelRequests, ([from, to]) => callPart(from, to))
  return outcomes
}

/** Ranges of calls that fit into one `eth_call`. */
const listParts = (calls: readonly ProgramCall[], maxBytes: number): [number, number][] => {
  const maxCalls = Math.floor(maxResultBytes / (Math.min(maxBytes, word) + resultHeadBytes))
  const parts: [number, number][] = []
  let [from, bytes] = [0, 0]
  for (const [i, { callData }] of calls.entries()) {
    const added = callHeadBytes + callData.length / 2 - 1
    if (i > from && (bytes + added > batchBytes || i - from >= maxCalls)) {
      parts.push([from, i])
      from = i
      bytes = 0
    }
    bytes += added
  }
  if (from < calls.length) parts.push([from, calls.length])
  return parts
}

/** @returns return data; undefined for a call that failed or was not made */
export const toReturned = (outcome: CallOutcome | undefined): Hex | undefined =>
  outcome?.startsWith('0x') ? (outcome as Hex) : undefined

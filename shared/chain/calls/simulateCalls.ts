import { type AccessList, type Address, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { callNode, ForbiddenMethodError } from '../callNode.ts'
import { isUnsupported } from '../nodes/isUnsupported.ts'

export type SimulatedCall = {
  from?: Address
  to?: Address
  data: Hex
  gas?: bigint
  value?: bigint
  accessList?: AccessList
  /** wei per gas unit, paid by `from`; gas is free without them */
  maxFeePerGas?: bigint
  maxPriorityFeePerGas?: bigint
}
/** Place of a simulation in the past: after some transactions of a block, on the state of its parent. */
export type SimulationPlace = { block: number; timestamp: number; transactions: readonly SimulatedCall[] }
/** State that a simulation begins with: of each account some slots and their words, its code, its balance in wei. */
export type StateOverrides = Record<Address, { stateDiff?: Record<Hex, Hex>; code?: Hex; balance?: bigint }>

export type Simulation = {
  /** first block of the simulation */
  block: number
  /** in the order of the calls; `gasUsed` includes the base cost and calldata of a transaction */
  results: {
    succeeded: boolean
    returnData: Hex
    gasUsed: bigint
    /** why a call failed, in the node's words */
    error?: string | undefined
    /** its events in the node's form, not validated */
    logs?: unknown
  }[]
}

/**
 * Runs calls in sequence in a block after the latest, or at a place in the past, each on the state left by the earlier
 * ones. `firstBlock` is the block before: the latest or the one after it, by node.
 * @throws SimulationError
 */
export type Simulate = (
  calls: readonly SimulatedCall[],
  overrides: StateOverrides,
  signal: AbortSignal,
  place?: SimulationPlace | 'firstBlock',
) => Promise<Simulation>

/** Why the simulation failed. */
export class SimulationError extends Error {
  readonly reason: 'timeout' | 'nodeCannotSimulate' | 'nodeUnavailable'
  /** whether the node responded with an error, which the calls may have caused */
  readonly isResponse: boolean

  constructor(reason: SimulationError['reason'], { isResponse = false } = {}) {
    super(reason)
    this.name = 'SimulationError'
    this.reason = reason
    this.isResponse = isResponse
  }
}

const hexSchema = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value))
const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(BigInt)
const responseSchema = z.union([
  z.object({
    result: z
      .array(
        z.object({
          number: quantitySchema.transform(Number),
          calls: z
            .array(
              z.object({
                status: quantitySchema,
                returnData: hexSchema,
                gasUsed: quantitySchema,
                error: z.object({ message: z.string() }).optional().catch(undefined),
                logs: z.unknown(),
              }),
            )
            .default([]),
        }),
      )
      .min(1),
  }),
  z.object({ error: z.object({ code: z.number() }) }),
])

/**
 * `eth_simulateV1` in one round trip: any account can be the sender of a call, and gas is free except where a call states fees.
 * @returns a `Simulate` for the node at `rpcUrl`
 */
export const simulateCalls =
  (rpcUrl: string): Simulate =>
  async (calls, overrides, signal, place) => {
    const before = typeof place === 'object' ? place.transactions : []
    const params = toParams([...before, ...calls], overrides, place)
    const outcome = await requestSimulation(rpcUrl, params, signal)
    if ('error' in outcome) {
      if (isUnsupported(outcome.error.code)) throw new SimulationError('nodeCannotSimulate')
      throw new SimulationError('nodeUnavailable', { isResponse: true })
    }
    const [start, block] = [outcome.result[0], outcome.result.at(-1)]
    if (!start || block?.calls.length !== before.length + calls.length) throw new SimulationError('nodeUnavailable')
    return {
      block: start.number,
      results: block.calls.slice(before.length).map(({ status, returnData, gasUsed, error, logs }) => ({
        succeeded: status === 1n,
        returnData,
        gasUsed,
        logs,
        ...(error ? { error: error.message } : {}),
      })),
    }
  }

const requestSimulation = async (rpcUrl: string, params: unknown[], signal: AbortSignal) => {
  try {
    return await callNode(rpcUrl, { method: 'eth_simulateV1', params }, responseSchema, signal)
  } catch (error) {
    if (error instanceof ForbiddenMethodError) throw new SimulationError('nodeCannotSimulate')
    throw new SimulationError(signal.aborted ? 'timeout' : 'nodeUnavailable')
  }
}

/** above the block gas limit of every network, so that all calls fit into the block */
const roomyGasLimit = numberToHex(60_000_000)

/**
 * Some nodes run the first block at the time of the latest one. The simulation needs a later time, as in a real
 * settlement: the first trade of a block costs more, because the pool updates its price accumulators.
 */
const emptyBlock = { calls: [] }

const toParams = (
  calls: readonly SimulatedCall[],
  overrides: StateOverrides,
  place: SimulationPlace | 'firstBlock' | undefined,
) => [
  {
    blockStateCalls: [
      ...(place ? [] : [emptyBlock]),
      {
        blockOverrides: {
          gasLimit: roomyGasLimit,
          ...(typeof place === 'object' ? { time: numberToHex(place.timestamp) } : {}),
        },
        stateOverrides: Object.fromEntries(
          Object.entries(overrides).map(([account, { balance, ...state }]) => [
            account,
            balance === undefined ? state : { ...state, balance: numberToHex(balance) },
          ]),
        ),
        calls: calls.map(({ gas, value, maxFeePerGas, maxPriorityFeePerGas, ...call }) => ({
          ...call,
          ...(gas ? { gas: numberToHex(gas) } : {}),
          ...(value ? { value: numberToHex(value) } : {}),
          ...(maxFeePerGas ? { maxFeePerGas: numberToHex(maxFeePerGas) } : {}),
          ...(maxPriorityFeePerGas ? { maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas) } : {}),
        })),
      },
    ],
  },
  typeof place === 'object' ? numberToHex(place.block - 1) : 'latest',
]

import { type AccessList, type Address, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { callNode, ForbiddenMethodError } from '../callNode.ts'
import { isUnsupported } from '../nodes/isUnsupported.ts'
import { hexSchema, quantitySchema } from './nodeValues.ts'

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
  /** the block that contains the calls */
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
 * Runs calls in sequence, each on the state left by the earlier ones: in the block after the newest, which is the first
 * that can contain a transaction sent now, in the one after it (`later`), or at a place in the past.
 * @throws SimulationError
 */
export type Simulate = (
  calls: readonly SimulatedCall[],
  overrides: StateOverrides,
  signal: AbortSignal,
  place?: SimulationPlace | 'later',
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

/** @throws any other error */
export const ignoreSimulationError = (error: unknown): undefined => {
  if (!(error instanceof SimulationError)) throw error
}

const responseSchema = z.union([
  z.object({
    result: z
      .array(
        z.object({
          number: quantitySchema.transform(Number),
          parentHash: hexSchema.optional(),
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
    const request = (startsAtNewest: boolean) =>
      requestSimulation(rpcUrl, toParams([...before, ...calls], overrides, place, startsAtNewest), signal)
    const expected = startingAtNewest.has(rpcUrl)
    let outcome = await request(expected)
    if (typeof place !== 'object' && 'result' in outcome) {
      const isSo = isNull(outcome.result[0]?.parentHash)
      if (isSo) startingAtNewest.add(rpcUrl)
      else startingAtNewest.delete(rpcUrl)
      if (isSo !== expected) outcome = await request(isSo)
    }
    if ('error' in outcome) {
      if (isUnsupported(outcome.error.code)) throw new SimulationError('nodeCannotSimulate')
      throw new SimulationError('nodeUnavailable', { isResponse: true })
    }
    const block = outcome.result.at(-1)
    if (block?.calls.length !== before.length + calls.length) throw new SimulationError('nodeUnavailable')
    return {
      block: block.number,
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
 * Nodes of which the first simulated block has number and time of the newest one (anvil), by `rpcUrl`. They name no
 * parent of it. Where the calls belong, the pool of the first trade updates its price accumulators, for more gas, and
 * contracts may decide otherwise: at these nodes an empty block comes first.
 */
const startingAtNewest = new Set<string>()
const isNull = (hash: Hex | undefined): boolean => hash !== undefined && BigInt(hash) === 0n
const emptyBlock = { calls: [] }

const countBefore = (place: SimulationPlace | 'later' | undefined, startsAtNewest: boolean): number =>
  typeof place === 'object' ? 0 : Number(place === 'later') + Number(startsAtNewest)

const toParams = (
  calls: readonly SimulatedCall[],
  overrides: StateOverrides,
  place: SimulationPlace | 'later' | undefined,
  startsAtNewest: boolean,
) => [
  {
    blockStateCalls: [
      ...Array.from({ length: countBefore(place, startsAtNewest) }, () => emptyBlock),
      {
        blockOverrides: {
          gasLimit: roomyGasLimit,
          ...(typeof place === 'object'
            ? { number: numberToHex(place.block), time: numberToHex(place.timestamp) }
            : {}),
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

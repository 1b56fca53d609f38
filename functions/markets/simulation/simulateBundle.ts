import { type Address, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { callNode } from '#shared/chain/callNode.ts'
import { hexSchema, quantitySchema } from '#shared/chain/calls/nodeValues.ts'
import { isUnsupported } from '#shared/chain/nodes/isUnsupported.ts'

/** An unsigned transaction. */
export type BundleTransaction = {
  from: Address
  to: Address
  input: Hex
  /** wei */
  value: bigint
  /** gas limit, gas units */
  gas: bigint
}

export type BundleLog = { address: Address; topics: Hex[]; data: Hex }
export type SimulatedTransaction = { succeeded: boolean; gasUsed: bigint; logs: BundleLog[] }

/** Why the simulation failed. `refused`: the node rejects these transactions, so a retry fails too. */
export class BundleError extends Error {
  readonly reason: 'refused' | 'nodeCannotSimulate' | 'nodeUnavailable' | 'timeout'
  /** of the node's response, if any */
  readonly code: number | undefined

  constructor(reason: BundleError['reason'], code?: number) {
    super(reason)
    this.name = 'BundleError'
    this.reason = reason
    this.code = code
  }
}

/** Gas units of all transactions together; above the block gas limit of every network. */
export const maxBundleGas = 60_000_000

const logSchema = z.object({
  address: hexSchema.transform((address) => address.toLowerCase() as Address),
  topics: z.array(hexSchema).max(4),
  data: hexSchema,
})
export const nodeErrorSchema = z.object({ error: z.object({ code: z.number(), message: z.string().default('') }) })
const simulationSchema = z.union([
  z.object({
    result: z.tuple([
      z.object({
        calls: z.array(z.object({ status: quantitySchema, gasUsed: quantitySchema, logs: z.array(logSchema) })),
      }),
    ]),
  }),
  nodeErrorSchema,
])

/**
 * Runs transactions in sequence on the state after a block, each on the state left by the earlier ones. Any account can
 * be the sender, and gas is free. Native transfers appear as logs of `0xeeee…`, like those of a token.
 * @throws BundleError
 */
export const simulateBundle = async (
  rpcUrl: string,
  transactions: readonly BundleTransaction[],
  block: Hex,
  signal: AbortSignal,
): Promise<SimulatedTransaction[]> => {
  const calls = transactions.map(toCall)
  const blockStateCalls = [{ blockOverrides: { gasLimit: numberToHex(maxBundleGas) }, calls }]
  const params = [{ traceTransfers: true, blockStateCalls }, block]
  const response = await callOrFail(rpcUrl, { method: 'eth_simulateV1', params }, simulationSchema, signal)
  if ('error' in response) throw toBundleError(response.error)
  const simulated = response.result[0].calls
  if (simulated.length !== transactions.length) throw new BundleError('nodeUnavailable')
  return simulated.map(({ status, gasUsed, logs }) => ({ succeeded: status === 1n, gasUsed, logs }))
}

/** A call in the format of the node's methods. */
export const toCall = ({ from, to, input, value, gas }: BundleTransaction) => ({
  from,
  to,
  input,
  value: numberToHex(value),
  gas: numberToHex(gas),
})

const blockNumberSchema = z.union([z.object({ result: hexSchema }), nodeErrorSchema])

/**
 * Newest block, used for all requests about one bundle.
 * @throws BundleError
 */
export const findNewestBlock = async (rpcUrl: string, signal: AbortSignal): Promise<Hex> => {
  const response = await callOrFail(rpcUrl, { method: 'eth_blockNumber', params: [] }, blockNumberSchema, signal)
  if ('error' in response) throw new BundleError('nodeUnavailable', response.error.code)
  return response.result
}

const callOrFail: typeof callNode = async (rpcUrl, call, responseSchema, signal) => {
  try {
    return await callNode(rpcUrl, call, responseSchema, signal)
  } catch {
    throw new BundleError(signal.aborted ? 'timeout' : 'nodeUnavailable')
  }
}

const toBundleError = ({ code, message }: { code: number; message: string }): BundleError => {
  if (isUnsupported(code)) return new BundleError('nodeCannotSimulate', code)
  return new BundleError(isRefusal(code, message) ? 'refused' : 'nodeUnavailable', code)
}

/**
 * Error codes of the method's specification, of "invalid params" and of "transaction rejected"; some nodes only have a
 * message.
 */
const isRefusal = (code: number, message: string): boolean =>
  (code <= -38_000 && code > -39_000) ||
  code === -32_602 ||
  code === -32_003 ||
  (code === -32_000 && /insufficient funds|intrinsic gas|gas limit|nonce/i.test(message))

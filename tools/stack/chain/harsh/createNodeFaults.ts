import { setTimeout as sleep } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { type Interference, NodeRefusal, type RpcCall } from '../badNode.ts'
import type { NodeFaults } from './harshOptions.ts'

type Forward = (call?: RpcCall) => Promise<unknown>
type Mined = { blockNumber?: string; number?: string } | null

/** Position of the block in the parameters of methods that read a state. */
const blockPositions: Record<string, number> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
  eth_simulateV1: 1,
}

/**
 * A node behind a balancer: each request meets a backend that is up to `maxLagBlocks` blocks behind, of three blocks in
 * two of three requests none, and one of the other faults. `random` in [0, 1) chooses; requests that arrive in the same
 * order meet the same faults.
 */
export const createNodeFaults =
  (faults: NodeFaults, random: () => number): Interference =>
  async (call, forward) => {
    const [lag, latency, limit] = [random(), random(), random()]
    const latencyMs = faults.latencyMs * (0.5 + latency)
    if (latencyMs > 0) await sleep(latencyMs)
    if (limit < faults.limitedShare) throw new NodeRefusal({ status: 429, headers: { 'Retry-After': '1' } })
    if (faults.missingMethods.includes(call.method)) {
      throw refuse(-32_600, `${call.method} is not available on your plan`)
    }
    const head = Number(await forward({ method: 'eth_blockNumber', params: [] }))
    return answerAt(call, forward, head - Math.floor(lag ** 3 * (faults.maxLagBlocks + 1)))
  }

/** The response of a node whose newest block is `newest`. */
const answerAt = async (call: RpcCall, forward: Forward, newest: number): Promise<unknown> => {
  const { method, params } = call
  if (method === 'eth_blockNumber') return numberToHex(newest)
  if (method === 'eth_getLogs') return findLogsAt(call, forward, newest)
  const position = blockPositions[method]
  if (position === undefined) return hideLater(await forward(), newest)
  const block = params[position] ?? 'latest'
  if (block === 'latest') return forward(withParam(call, position, numberToHex(newest)))
  if (!isNumber(block) || Number(block) <= newest) return forward()
  if (method === 'eth_getBlockByNumber') return null
  throw refuse(-32_000, 'header not found')
}

/** As nodes do: logs of unknown blocks are missing from a range, and an error for a hash. */
const findLogsAt = async (call: RpcCall, forward: Forward, newest: number): Promise<unknown> => {
  const filter = (call.params[0] ?? {}) as Record<string, unknown>
  if (filter.blockHash !== undefined) {
    const block = (await forward({ method: 'eth_getBlockByHash', params: [filter.blockHash, false] })) as Mined
    if (!block || Number(block.number) > newest) throw refuse(-32_000, 'unknown block')
    return forward()
  }
  const { fromBlock, toBlock = 'latest' } = filter
  if (isNumber(fromBlock) && Number(fromBlock) > newest) return []
  const last = isNumber(toBlock) ? Math.min(Number(toBlock), newest) : newest
  return forward({ ...call, params: [{ ...filter, toBlock: numberToHex(last) }] })
}

/** Blocks, transactions, receipts: null when their block is later. */
const hideLater = (result: unknown, newest: number): unknown => {
  const [mined] = (Array.isArray(result) ? result : [result]) as Mined[]
  if (typeof mined !== 'object' || mined === null) return result
  return Number(mined.blockNumber ?? mined.number ?? 0) > newest ? null : result
}

const withParam = (call: RpcCall, position: number, value: unknown): RpcCall => {
  const params = [...call.params]
  params[position] = value
  return { ...call, params }
}

const isNumber = (block: unknown): block is string => typeof block === 'string' && /^0x[0-9a-f]+$/i.test(block)

const refuse = (code: number, message: string): NodeRefusal => new NodeRefusal({ error: { code, message } })

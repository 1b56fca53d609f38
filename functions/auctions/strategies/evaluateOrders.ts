import { encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import type { DueOrder } from '#schema/queries/strategies/selectDue.ts'
import { type CallBounds, callTogether } from '#shared/chain/calls/callTogether.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { Network } from '#shared/networks.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { type Evaluation, readRevert, readTradeable } from './evaluation.ts'

/** Gas units of an evaluation; a TWAP takes a fifth. */
const gasEach = 500_000n
/** Return data of an evaluation: order and signature, with the static input twice at most. */
const maxBytes = 4_096
/** `eth_call`s of one block: with the one of `findRemoved` ten. */
const maxRequests = { first: 7, withAmount: 2 }

const noInput: Hex = '0x'
/** Input of handlers that take the buy amount with each evaluation, where the owner sets no limit: the least amount. */
const leastAmount = encodeAbiParameters([{ type: 'uint256' }], [1n])

type EvaluatedOrder = Pick<DueOrder, 'owner' | 'handler' | 'salt' | 'staticInput' | 'proof'>

/**
 * Evaluates conditional orders at a block in few `eth_call`s. Each has its own gas and return data, so that a handler can
 * only fail its own order. One that reverts without data is evaluated again with an amount as its input.
 * @returns in the order of `orders`; undefined for those that no request had space for
 * @throws Error when the node fails
 */
export const evaluateOrders = async (
  { chain, network }: { chain: ChainClient; network: Pick<Network, 'composableCow'> },
  orders: readonly EvaluatedOrder[],
  block: number,
  signal: AbortSignal,
): Promise<(Evaluation | undefined)[]> => {
  const bounds = { gasEach, maxBytes, signal, blockNumber: BigInt(block) }
  const evaluate = async (part: readonly EvaluatedOrder[], input: Hex, requests: number) =>
    evaluateWith(chain, network, part, input, { ...bounds, maxRequests: requests })
  const first = await evaluate(orders, noInput, maxRequests.first)
  const wordless = first.flatMap((evaluation, i) => (evaluation === 'wordless' ? [i] : []))
  const again = await evaluate(
    wordless.flatMap((i) => orders[i] ?? []),
    leastAmount,
    maxRequests.withAmount,
  )
  const second = new Map(wordless.map((i, at) => [i, again[at]]))
  return first.map((evaluation, i) => {
    const found = evaluation === 'wordless' ? second.get(i) : evaluation
    return found === 'wordless' ? { reason: 'failed' } : found
  })
}

const evaluateWith = async (
  chain: ChainClient,
  { composableCow }: Pick<Network, 'composableCow'>,
  orders: readonly EvaluatedOrder[],
  input: Hex,
  bounds: CallBounds,
): Promise<(Evaluation | 'wordless' | undefined)[]> => {
  if (orders.length === 0) return []
  const calls = orders.map(({ owner, handler, salt, staticInput, proof }) => ({
    target: composableCow,
    callData: encodeFunctionData({
      abi: composableCowAbi,
      functionName: 'getTradeableOrderWithSignature',
      args: [owner, { handler, salt, staticInput }, input, proof],
    }),
  }))
  const reverts = new Map<number, Hex>()
  const outcomes = await callTogether(chain, calls, { ...bounds, onRevert: (i, data) => reverts.set(i, data) })
  return outcomes.map((outcome, i) => {
    if (outcome === 'notRequested') return undefined
    if (outcome === 'exhausted') return { reason: 'exhausted' }
    if (outcome !== 'failed') return readTradeable(outcome)
    const data = reverts.get(i) ?? '0x'
    return data === '0x' ? 'wordless' : readRevert(data)
  })
}

import { encodeAbiParameters, encodeFunctionData, type Hex, prepareEncodeFunctionData } from 'viem'
import type { DueOrder } from '#schema/queries/strategies/selectDue.ts'
import { type CallBounds, callTogether } from '#shared/chain/calls/callTogether.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { Network } from '#shared/networks.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { type Evaluation, evaluationBounds, readRevert, readTradeable } from '#shared/strategies/evaluation.ts'
import type { Limit } from './createLimits.ts'

/** `eth_call`s of one block: with the one of `findRemoved` ten. */
const maxRequests = { first: 7, withLimit: 2 }

/** With its selector, whose hash would take a quarter of an evaluation. */
const tradeable = prepareEncodeFunctionData({
  abi: composableCowAbi,
  functionName: 'getTradeableOrderWithSignature',
})

const noInput: Hex = '0x'
const failed: Evaluation = { reason: 'failed' }

type EvaluatedOrder = Pick<DueOrder, 'owner' | 'handler' | 'salt' | 'staticInput' | 'proof'>

/**
 * Evaluates conditional orders at a block in few `eth_call`s. Each has its own gas and return data, so that a handler can
 * only fail its own order. One that reverts without data is evaluated again with a limit as its input.
 * @param findLimits limits of orders whose handler takes one, in the order of its argument
 * @returns in the order of `orders`; undefined for those that no request had space for
 * @throws Error when the node fails
 */
export const evaluateOrders = async <Order extends EvaluatedOrder>(
  { chain, network }: { chain: ChainClient; network: Pick<Network, 'composableCow'> },
  orders: readonly Order[],
  findLimits: (orders: readonly Order[]) => Promise<Limit[]>,
  block: number,
  signal: AbortSignal,
): Promise<(Evaluation | undefined)[]> => {
  const bounds = { ...evaluationBounds, signal, blockNumber: BigInt(block) }
  const evaluate = (part: readonly Evaluated[], requests: number) =>
    evaluateWith(chain, network, part, { ...bounds, maxRequests: requests })
  const first = await evaluate(
    orders.map((order) => ({ order, input: noInput })),
    maxRequests.first,
  )
  const outcomes = first.map((evaluation) => (evaluation === 'wordless' ? failed : evaluation))
  const wordless = orders.flatMap((order, place) => (first[place] === 'wordless' ? [{ order, place }] : []))
  const limits = await findLimits(wordless.map(({ order }) => order))
  const limited = wordless.flatMap(({ order, place }, i) => {
    const limit = limits[i]
    if (typeof limit === 'bigint') return [{ order, place, input: encodeAbiParameters([{ type: 'uint256' }], [limit]) }]
    outcomes[place] = limit
    return []
  })
  const again = await evaluate(limited, maxRequests.withLimit)
  for (const [i, { place }] of limited.entries()) outcomes[place] = again[i] === 'wordless' ? failed : again[i]
  return outcomes
}

type Evaluated = { order: EvaluatedOrder; input: Hex }

const evaluateWith = async (
  chain: ChainClient,
  { composableCow }: Pick<Network, 'composableCow'>,
  evaluated: readonly Evaluated[],
  bounds: CallBounds,
): Promise<(Evaluation | 'wordless' | undefined)[]> => {
  if (evaluated.length === 0) return []
  const calls = evaluated.map(({ order: { owner, handler, salt, staticInput, proof }, input }) => ({
    target: composableCow,
    callData: encodeFunctionData({ ...tradeable, args: [owner, { handler, salt, staticInput }, input, proof] }),
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

import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, size } from 'viem'
import { callTogether } from '#shared/chain/calls/callTogether.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { noContract } from '#shared/networks/noContract.ts'
import type { Order } from '#shared/signing/order.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { findConditionalType, startAt } from '#shared/strategies/describeConditional.ts'
import { evaluationBounds, malformed, readRevert, type WithoutPart } from '#shared/strategies/evaluation.ts'
import { type ConditionalParams, hashParams } from '#shared/strategies/hashParams.ts'
import { type PartRules, readSignedPart } from '#shared/strategies/readSignedPart.ts'

/** What a new conditional order would do at `block`. */
export type DryRun = {
  block: { number: number; timestamp: Date }
  outcome: { reason: 'partPlaced'; order: Order } | WithoutPart
}

/** Bytes that the registry returns for an order of a Safe, without the static input and the input of the evaluation. */
const returnedBytes = 1_376
const maxRequests = 2
const withoutInput: WithoutPart = { reason: 'failed', message: 'it takes its buy amount as offchainInput' }

/**
 * Evaluates a conditional order that its owner has not authorised, at the head: its handler is called directly, because
 * the registry refuses such orders. One that takes its start from its creation is evaluated as if the head had created it.
 * @param offchainInput of the evaluation
 * @throws Error when the node fails
 */
export const dryRunConditional = async (
  { chain, ...rules }: PartRules & { chain: ChainClient },
  owner: Address,
  params: ConditionalParams,
  offchainInput: Hex,
  signal: AbortSignal,
): Promise<DryRun> => {
  const head = await chain.getBlock()
  const block = { number: Number(head.number), timestamp: new Date(Number(head.timestamp) * 1_000) }
  const { handler } = params
  const staticInput = startAt(handler, params.staticInput, Number(head.timestamp))
  const callData = encodeFunctionData({
    abi: composableCowAbi,
    functionName: 'getTradeableOrder',
    args: [owner, noContract, hashParams(params), staticInput, offchainInput],
  })
  let revert: Hex = '0x'
  const [returned] = await callTogether(chain, [{ target: handler, callData }], {
    ...{ ...evaluationBounds, maxRequests, signal, blockNumber: head.number },
    onRevert: (_, data) => {
      revert = data
    },
  })
  if (!returned || returned === 'notRequested') throw new Error('the node has not evaluated it')
  if (returned === 'exhausted') return { block, outcome: { reason: 'exhausted' } }
  if (returned === 'failed') {
    const needsInput = revert === '0x' && offchainInput === '0x' && findConditionalType(handler) === 'goodAfterTime'
    return { block, outcome: needsInput ? withoutInput : readRevert(revert) }
  }
  if (returned === '0x') return { block, outcome: { reason: 'failed', message: 'its handler has no code' } }
  const signed = readOrder(returned)
  const bytes = returnedBytes + toWords(params.staticInput) + toWords(offchainInput)
  if (!signed || bytes > evaluationBounds.maxBytes) return { block, outcome: malformed }
  const order = readSignedPart(rules, signed, block.timestamp)
  if (typeof order !== 'string') return { block, outcome: { reason: 'partPlaced', order } }
  return { block, outcome: { reason: 'partRefused', message: order } }
}

const readOrder = (data: Hex) => {
  try {
    return decodeFunctionResult({ abi: composableCowAbi, functionName: 'getTradeableOrder', data })
  } catch {
    return undefined
  }
}

/** Bytes that it takes inside of an encoded struct. */
const toWords = (data: Hex): number => Math.ceil(size(data) / 32) * 32

import {
  type ContractFunctionReturnType,
  decodeErrorResult,
  decodeFunctionResult,
  type Hex,
  slice,
  toFunctionSelector,
} from 'viem'

import { toLine } from '../toLine.ts'
import { composableCowAbi } from './composableCowAbi.ts'
import type { VerdictReason } from './conditionalOrder.ts'

type Tradeable = ContractFunctionReturnType<typeof composableCowAbi, 'view', 'getTradeableOrderWithSignature'>

/** What the registry and the handler of a conditional order returned. */
export type Evaluation = { reason: 'partPlaced'; order: Tradeable[0]; signature: Hex } | WithoutPart

export type WithoutPart =
  | { reason: 'notYet'; message: string; untilBlock?: bigint; untilTime?: bigint }
  | { reason: Exclude<VerdictReason, 'partPlaced' | 'notYet'>; message?: string }

/** Gas units of an evaluation, of which a TWAP takes a fifth; bytes of its order and signature. */
export const evaluationBounds = { gasEach: 500_000n, maxBytes: 4_096 }
/** An order that is larger than these, or none. */
export const malformed: WithoutPart = { reason: 'failed', message: 'malformed or too large an order' }
/** validTo of orders has 32 bits */
const maxTime = 2 ** 32 - 1
/** Words of a handler are cut to this length, characters. */
const maxMessage = 200

/** Reads the return data of `getTradeableOrderWithSignature`; malformed data counts as a failure. */
export const readTradeable = (data: Hex): Evaluation => {
  try {
    const [order, signature] = decodeFunctionResult({
      abi: composableCowAbi,
      functionName: 'getTradeableOrderWithSignature',
      data,
    })
    return { reason: 'partPlaced', order, signature }
  } catch {
    return malformed
  }
}

/** Reads the data with which it reverted. */
export const readRevert = (data: Hex): WithoutPart => {
  const error = decodeError(data)
  if (!error) return { reason: 'failed' }
  const { errorName, args } = error
  switch (errorName) {
    case 'PollTryAtBlock':
      return { reason: 'notYet', untilBlock: args[0], message: toMessage(args[1]) }
    case 'PollTryAtEpoch':
      return { reason: 'notYet', untilTime: args[0], message: toMessage(args[1]) }
    case 'PollTryNextBlock':
      return { reason: 'tryNextBlock', message: toMessage(args[0]) }
    case 'PollNever':
      return { reason: 'finished', message: toMessage(args[0]) }
    case 'OrderNotValid':
      return { reason: 'notValid', message: toMessage(args[0]) }
    case 'SingleOrderNotAuthed':
    case 'ProofNotAuthed':
      return { reason: 'removed' }
    case 'SwapGuardRestricted':
    case 'InvalidFallbackHandler':
      return { reason: 'notValid', message: errorName }
    default:
      return { reason: 'failed', message: errorName }
  }
}

/** By their selectors: viem hashes each error up to the one that it looks for, 400 times in a block. */
const errors = new Map(
  composableCowAbi.flatMap((item) =>
    item.type === 'error'
      ? [[toFunctionSelector(`${item.name}(${item.inputs.map(({ type }) => type).join()})`), item] as const]
      : [],
  ),
)

const decodeError = (data: Hex) => {
  try {
    const error = errors.get(slice(data, 0, 4))
    return error && decodeErrorResult({ abi: [error], data })
  } catch {
    return undefined
  }
}

/** Without characters that a database text cannot hold. */
const toMessage = (text: string): string => toLine(text, maxMessage)

/** The block and the time, Unix seconds, before which a handler wants no further evaluation; zero: none. */
export const readUntil = ({ untilBlock = 0n, untilTime = 0n }: Extract<Evaluation, { reason: 'notYet' }>) => ({
  block: toBounded(untilBlock, Number.MAX_SAFE_INTEGER),
  time: toBounded(untilTime, maxTime),
})

const toBounded = (value: bigint, most: number): number => (value > BigInt(most) ? most : Number(value))

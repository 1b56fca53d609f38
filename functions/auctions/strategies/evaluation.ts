import { type ContractFunctionReturnType, decodeErrorResult, decodeFunctionResult, type Hex } from 'viem'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import type { VerdictReason } from '#shared/strategies/conditionalOrder.ts'
import { toLine } from '#shared/toLine.ts'

type Tradeable = ContractFunctionReturnType<typeof composableCowAbi, 'view', 'getTradeableOrderWithSignature'>

/** What the registry and the handler of a conditional order returned. */
export type Evaluation =
  | { reason: 'partPlaced'; order: Tradeable[0]; signature: Hex }
  | { reason: 'notYet'; message: string; untilBlock?: bigint; untilTime?: bigint }
  | { reason: Exclude<VerdictReason, 'partPlaced' | 'notYet'>; message?: string }

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
    return { reason: 'failed', message: 'malformed or too large an order' }
  }
}

/** Reads the data with which it reverted. */
export const readRevert = (data: Hex): Evaluation => {
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

const decodeError = (data: Hex) => {
  try {
    return decodeErrorResult({ abi: composableCowAbi, data })
  } catch {
    return undefined
  }
}

/** Without characters that a database text cannot hold. */
const toMessage = (text: string): string => toLine(text, maxMessage)

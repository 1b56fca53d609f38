import {
  type Abi,
  type AbiEvent,
  type ContractEventName,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
} from 'viem'
import { type Code, type Frame, Revert } from './machine.ts'

type Handler = (frame: Frame, ...args: never[]) => unknown

/**
 * Code of a contract from its functions by name. Unknown functions and malformed calldata revert without a reason.
 * @param receive runs for a call without calldata; by default it reverts
 */
export const defineContract = (
  abi: Abi,
  handlers: Record<string, Handler>,
  receive: (frame: Frame) => void = refuse,
): Code => {
  return (frame) => {
    if (frame.data === '0x') {
      receive(frame)
      return '0x'
    }
    const call = decode(abi, frame.data)
    const handler = call && handlers[call.functionName]
    if (!call || !handler) throw new Revert('0x')
    const result = handler(frame, ...((call.args ?? []) as never[]))
    if (result === undefined) return '0x'
    return isRaw(result) ? result.raw : encodeFunctionResult({ abi, functionName: call.functionName, result } as never)
  }
}

/** Return data of a handler that is not encoded again. */
export const toRaw = (raw: Hex) => ({ raw })

const isRaw = (result: unknown): result is { raw: Hex } =>
  typeof result === 'object' && result !== null && 'raw' in result

const refuse = (): void => {
  throw new Revert('0x')
}

const decode = (abi: Abi, data: Hex) => {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    return undefined
  }
}

/** Emits an event of an ABI. */
export const emit = <const A extends Abi>(
  frame: Frame,
  abi: A,
  eventName: ContractEventName<A>,
  named: Record<string, unknown>,
): void => {
  frame.charge(2_000n)
  const event = abi.find((item) => item.type === 'event' && item.name === eventName) as AbiEvent
  const plain = event.inputs.filter(({ indexed }) => !indexed)
  frame.emit({
    topics: encodeEventTopics({ abi, eventName, args: named } as never) as Hex[],
    data: encodeAbiParameters(
      plain,
      plain.map(({ name }) => named[name ?? '']),
    ),
  })
}

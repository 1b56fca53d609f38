import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  type ContractEventName,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  toFunctionSelector,
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
  const bySelector = new Map(abi.filter(isFunction).map((item) => [toFunctionSelector(item), item]))
  return (frame) => {
    if (frame.data === '0x') {
      receive(frame)
      return '0x'
    }
    const item = bySelector.get(frame.data.slice(0, 10) as Hex)
    const args = item && decode(item, frame.data)
    const handler = item && handlers[item.name]
    if (!args || !handler) throw new Revert('0x')
    const result = handler(frame, ...(args as never[]))
    if (result === undefined) return '0x'
    return isRaw(result) ? result.raw : encodeFunctionResult({ abi: [item], result } as never)
  }
}

/** Return data of a handler that is not encoded again. */
export const toRaw = (raw: Hex) => ({ raw })

const isRaw = (result: unknown): result is { raw: Hex } =>
  typeof result === 'object' && result !== null && 'raw' in result

const refuse = (): void => {
  throw new Revert('0x')
}

const isFunction = (item: Abi[number]): item is AbiFunction => item.type === 'function'

/** Arguments after the selector; undefined for malformed calldata. */
const decode = ({ inputs }: AbiFunction, data: Hex): readonly unknown[] | undefined => {
  if (inputs.length === 0) return []
  try {
    return decodeAbiParameters(inputs, `0x${data.slice(10)}`)
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

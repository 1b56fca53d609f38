import type { Address, Hex } from 'viem'
import { maxResultBytes, reservedGas, resultHeadBytes } from '#shared/chain/calls/buildCallProgram.ts'
import type { Frame } from './machine.ts'

/** A program of `buildCallProgram`: static calls in sequence, bounded in gas and return data. */
type CallProgram = { gasEach: bigint; maxBytes: number; calls: { target: Address; callData: Hex }[] }

const staticCall = 'fa'
const push8 = '67'
/** `push(maxBytes, 3)` before `returndatasize` */
const boundPattern = /62([0-9a-f]{6})3d/

/**
 * Reads the program out of its code: the first instruction pushes the length of the frame, behind which the calls
 * stand, and the limits are operands within it.
 */
const readCallProgram = (code: Hex): CallProgram => {
  const text = code.slice(2)
  const start = Number.parseInt(text.slice(2, 6), 16)
  const frame = text.slice(0, 2 * start)
  const at = frame.search(new RegExp(`${push8}[0-9a-f]{16}${staticCall}`))
  const bound = boundPattern.exec(frame)
  if (!text.startsWith('61') || at < 0 || !bound?.[1]) throw new Error('unknown code in a call without a target')
  const calls: CallProgram['calls'] = []
  for (let i = 2 * start; i < text.length; ) {
    const size = Number.parseInt(text.slice(i + 40, i + 46), 16)
    calls.push({ target: `0x${text.slice(i, i + 40)}`, callData: `0x${text.slice(i + 46, i + 46 + 2 * size)}` })
    i += 46 + 2 * size
  }
  return { gasEach: BigInt(`0x${frame.slice(at + 2, at + 18)}`), maxBytes: Number.parseInt(bound[1], 16), calls }
}

/** Runs the program like the chain would: it stops before the first call without enough gas or space. */
export const runCallProgram = (frame: Frame): Hex => {
  const { gasEach, maxBytes, calls } = readCallProgram(frame.data)
  const needed = (gasEach * 64n) / 63n + reservedGas
  const results: string[] = []
  let bytes = 0
  for (const { target, callData } of calls) {
    if (frame.gasLeft() < needed || bytes > maxResultBytes - resultHeadBytes - maxBytes) break
    const before = frame.gasLeft()
    const { succeeded, returnData } = frame.call(target, callData, { gas: gasEach })
    const exhausted = before - frame.gasLeft() > (gasEach * 15n) / 16n
    const data = returnData.slice(2, 2 + 2 * maxBytes)
    const head = 4 * (data.length / 2) + (exhausted ? 2 : 0) + (succeeded ? 1 : 0)
    results.push(head.toString(16).padStart(2 * resultHeadBytes, '0') + data)
    bytes += resultHeadBytes + data.length / 2
  }
  return `0x${results.join('')}`
}

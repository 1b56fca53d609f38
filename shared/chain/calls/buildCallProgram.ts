import { type Address, concatHex, type Hex, numberToHex, size } from 'viem'

export type ProgramCall = { target: Address; callData: Hex }

export type ProgramLimits = {
  /** gas units for each call */
  gasEach: bigint
  /** maximum bytes copied of each call's return data */
  maxBytes: number
}

/** Maximum bytes of all results: the node charges 200 gas per byte, as for the code of a new contract. */
export const maxResultBytes = 20_000
/** bytes of a result beside its data */
export const resultHeadBytes = 4
/** bytes of a call in the program beside its data */
export const callHeadBytes = 23
/** Gas units reserved after the last call: for returning the results and for the program itself. */
export const reservedGas = 200n * BigInt(maxResultBytes) + 150_000n

const op = {
  add: '0x01',
  mul: '0x02',
  sub: '0x03',
  lt: '0x10',
  gt: '0x11',
  isZero: '0x15',
  and: '0x16',
  xor: '0x18',
  shl: '0x1b',
  shr: '0x1c',
  codeSize: '0x38',
  codeCopy: '0x39',
  returnDataSize: '0x3d',
  returnDataCopy: '0x3e',
  pop: '0x50',
  load: '0x51',
  store: '0x52',
  jump: '0x56',
  jumpIf: '0x57',
  gas: '0x5a',
  label: '0x5b',
  dup1: '0x80',
  dup2: '0x81',
  dup3: '0x82',
  dup6: '0x85',
  swap1: '0x90',
  return: '0xf3',
  staticCall: '0xfa',
} as const satisfies Record<string, Hex>

const push = (value: number | bigint, bytes = 1): Hex =>
  concatHex([numberToHex(0x5f + bytes, { size: 1 }), numberToHex(value, { size: bytes })])

/** Memory words: read position of the next call, write position of its result, gas before it. The results follow. */
const [inputSlot, outputSlot, gasSlot, results] = [0x00, 0x20, 0x40, 0x60]
const loadInput = concatHex([push(inputSlot), op.load])
const loadOutput = concatHex([push(outputSlot), op.load])

/**
 * EVM code for an `eth_call` without a target that makes static calls in sequence. Unlike Multicall3 it bounds gas and
 * return data of each call, so that no call can use up resources of another one or change its state. It stops before
 * the first call for which gas or space is insufficient. For each call made it returns four bytes, `4 · length + 2 ·
 * exhausted + succeeded`, and the data.
 */
export const buildCallProgram = (calls: readonly ProgramCall[], limits: ProgramLimits): Hex => {
  const body = buildBody(limits)
  const start = size(buildFrame(0, body))
  return concatHex([
    buildFrame(start, body),
    ...calls.map(({ target, callData }) =>
      concatHex([target, numberToHex(size(callData), { size: callHeadBytes - 20 }), callData]),
    ),
  ])
}

const buildFrame = (start: number, body: (loop: number, done: number) => Hex): Hex => {
  const prologue = concatHex([push(start, 2), push(inputSlot), op.store, push(results), push(outputSlot), op.store])
  const loop = size(prologue)
  const done = loop + size(body(0, 0))
  return concatHex([prologue, body(loop, done), epilogue])
}

const epilogue = concatHex([op.label, push(results), loadOutput, op.sub, push(results), op.return])

const buildBody =
  ({ gasEach, maxBytes }: ProgramLimits) =>
  (loop: number, done: number): Hex => {
    const neededGas = (gasEach * 64n) / 63n + reservedGas
    const lastOutput = results + maxResultBytes - resultHeadBytes - maxBytes
    const exitIf = concatHex([push(done, 2), op.jumpIf])
    return concatHex([
      op.label,
      // all calls made, insufficient gas, or insufficient space
      ...[op.codeSize, loadInput, op.lt, op.isZero, exitIf],
      ...[push(neededGas, 8), op.gas, op.lt, exitIf],
      ...[push(lastOutput, 2), loadOutput, op.gt, exitIf],
      // stack: head of the call, length of its data; the data goes where its result will be
      ...[push(32), loadInput, loadOutput, op.codeCopy, loadOutput, op.load],
      ...[op.dup1, push(72), op.shr, push(0xffffff, 3), op.and],
      ...[op.dup1, loadInput, push(callHeadBytes), op.add, loadOutput, op.codeCopy],
      // stack: head, length, succeeded
      ...[op.gas, push(gasSlot), op.store],
      ...[push(0), push(0), op.dup3, loadOutput, op.dup6, push(96), op.shr],
      ...[push(gasEach, 8), op.staticCall],
      // stack: head, length, outcome: whether it took 15/16 of its gas, and whether it succeeded
      ...[push((gasEach * 15n) / 16n, 8), op.gas, push(gasSlot), op.load, op.sub, op.gt, op.dup1, op.add, op.add],
      // stack: head, outcome
      ...[op.swap1, push(callHeadBytes), op.add, loadInput, op.add, push(inputSlot), op.store],
      // stack: head, outcome, the lesser of what was returned and what is copied
      ...[push(maxBytes, 3), op.returnDataSize, op.dup2, op.dup2, op.lt, op.swap1, op.dup3, op.xor, op.mul, op.xor],
      ...[op.dup1, push(2), op.shl, op.dup3, op.add, push(224), op.shl, loadOutput, op.store],
      ...[op.dup1, push(0), loadOutput, push(resultHeadBytes), op.add, op.returnDataCopy],
      ...[loadOutput, op.add, push(resultHeadBytes), op.add, push(outputSlot), op.store],
      ...[op.pop, op.pop, push(loop, 2), op.jump],
    ])
  }

export type ProgramResult = {
  succeeded: boolean
  /** the call used nearly all of its gas */
  exhausted: boolean
  returnData: Hex
}

/** Reads the program's return data: a result for each call made, in order. */
export const readProgramResults = (returned: Hex): ProgramResult[] => {
  const read: ProgramResult[] = []
  for (let at = 2; at < returned.length; ) {
    const head = Number.parseInt(returned.slice(at, at + 2 * resultHeadBytes), 16)
    const from = at + 2 * resultHeadBytes
    at = from + 2 * (head >> 2)
    read.push({ succeeded: (head & 1) === 1, exhausted: (head & 2) === 2, returnData: `0x${returned.slice(from, at)}` })
  }
  return read
}

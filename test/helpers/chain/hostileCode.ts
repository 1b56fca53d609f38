import type { Hex } from 'viem'

/** Bytecode of contracts that misbehave on any call. */
export const hostileCode = {
  'invalid opcode': '0xfe',
  'undefined opcode': '0x0c',
  'bad jump': '0x600056',
  'stack underflow': '0x01',
  // PUSH0 JUMPDEST in a loop that pushes until the stack is full
  'stack overflow': '0x5b60006000600056',
  'return data out of bounds': '0x60206000600060003e3e',
  'infinite loop': '0x5b600056',
  'huge memory': '0x60006380000000526001600052',
  // returns as many bytes as 200,000 gas pay for
  'return bomb': '0x6201c0006000f3',
  // the same by a revert
  'revert bomb': '0x6201c0006000fd',
  'no data': '0x00',
  'short data': '0x60016000f3',
  revert: '0x60006000fd',
  'self-destruct': '0x33ff',
  // calls itself with all gas
  recursion: '0x600060006000600060003060005af1',
  // creates contracts in a loop
  creation: '0x5b600060006000f05060005600',
  'writes storage': '0x60015f55600160005260206000f3',
} as const satisfies Record<string, Hex>

/** Calls that may return anything, as long as they harm no other. */
export const hostileNames = Object.keys(hostileCode) as (keyof typeof hostileCode)[]

/** Returns a word for any call. */
export const codeReturning = (value: bigint): Hex => `0x7f${value.toString(16).padStart(64, '0')}60005260206000f3`

/** Behaviour of a function of `codeOf`: it returns data, or runs code. */
export type HostileFunction = { returns: Hex } | { runs: Hex }

/** A contract with a behaviour for each selector; every other call reverts. */
export const codeOf = (functions: Record<Hex, HostileFunction>): Hex => {
  const entries = Object.entries(functions) as [Hex, HostileFunction][]
  const toHex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0')
  const prologue = '60003560e01c'
  const fallback = '60006000fd'
  const handlersAt = prologue.length / 2 + 11 * entries.length + fallback.length / 2
  const sizes = entries.map(([, body]) => ('returns' in body ? 16 : body.runs.length / 2))
  const startOf = (i: number) => handlersAt + sizes.slice(0, i).reduce((sum, size) => sum + size, 0)
  let dataAt = startOf(entries.length)
  let jumps = ''
  let handlers = ''
  let data = ''
  for (const [i, [selector, body]] of entries.entries()) {
    jumps += `8063${selector.slice(2)}1461${toHex(startOf(i), 2)}57`
    if ('runs' in body) {
      handlers += `5b${body.runs.slice(2)}`
      continue
    }
    const length = body.returns.length / 2 - 1
    handlers += `5b61${toHex(length, 2)}61${toHex(dataAt, 2)}60003961${toHex(length, 2)}6000f3`
    data += body.returns.slice(2)
    dataAt += length
  }
  return `0x${prologue}${jumps}${fallback}${handlers}${data}`
}

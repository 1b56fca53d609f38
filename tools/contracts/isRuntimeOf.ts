import { type Hex, hexToBytes } from 'viem'

/**
 * Whether code on the chain is that of a contract. Immutables are zero in the contract's own code, so that its zero
 * bytes match any.
 */
export const isRuntimeOf = (code: Hex, runtimeCode: Hex): boolean => {
  const found = hexToBytes(code)
  const expected = hexToBytes(runtimeCode)
  return found.length === expected.length && expected.every((byte, i) => byte === 0 || byte === found[i])
}

import type { Hex } from 'viem'
import { fromHex, toHex } from './hex.ts'

/**
 * A 65-byte signature r ‖ s ‖ v as the settlement contract accepts it: some wallets return the bare parity 0 or 1 as v,
 * `ecrecover` knows only 27 and 28.
 * @returns the same signature with v 27 or 28, lower case
 * @throws RangeError when it is not 65 bytes or v is not 0, 1, 27 or 28
 */
export function normalizeSignature(signature: Hex): Hex {
  const bytes = fromHex(signature, 65, 'signature')
  const v = bytes[64]
  if (v === 0 || v === 1) bytes[64] = v + 27
  else if (v !== 27 && v !== 28) throw new RangeError(`signature: v is ${v}, expected 0, 1, 27 or 28`)
  return toHex(bytes)
}

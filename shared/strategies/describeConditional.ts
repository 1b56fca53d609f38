import { type Address, concatHex, type Hex, numberToHex, size, slice } from 'viem'
import { publicContracts } from './publicContracts.ts'
import { readTwap } from './twap.ts'

/** Kinds of conditional orders by the public addresses of their handlers, see docs/strategies.md. */
const types = {
  [publicContracts.twap]: 'twap',
  [publicContracts.stopLoss]: 'stopLoss',
  '0xe8212f30c28b4aab467df3725c14d6e89c2eb967': 'stopLoss',
  [publicContracts.goodAfterTime]: 'goodAfterTime',
  [publicContracts.tradeAboveThreshold]: 'tradeAboveThreshold',
  [publicContracts.perpetualStableSwap]: 'perpetualStableSwap',
} as const

export const conditionalTypes = [
  'twap',
  'stopLoss',
  'goodAfterTime',
  'tradeAboveThreshold',
  'perpetualStableSwap',
  'other',
] as const

/** Handlers whose code is known: they say truly when their next part comes. */
export const knownHandlers = Object.keys(types) as readonly Address[]

type ConditionalType = (typeof conditionalTypes)[number]

export const findConditionalType = (handler: Address): ConditionalType =>
  (types as Record<Address, ConditionalType>)[handler] ?? 'other'

/** Number of parts of a TWAP; null for other kinds and malformed ones. */
export const findPartCount = (handler: Address, staticInput: Hex): number | null => {
  const count = findConditionalType(handler) === 'twap' ? readTwap(staticInput)?.n : undefined
  return count !== undefined && count <= Number.MAX_SAFE_INTEGER ? Number(count) : null
}

/** Bytes of the static input of a TWAP, and of its start, which is zero for the time of the block that creates it. */
const twapBytes = { from: 160, to: 192, all: 320 }

/** The static input of a TWAP that starts when it is mined as if that were at `time`, Unix seconds; all others as they are. */
export const startAt = (handler: Address, staticInput: Hex, time: number): Hex => {
  const { from, to, all } = twapBytes
  if (findConditionalType(handler) !== 'twap' || size(staticInput) < all) return staticInput
  if (BigInt(slice(staticInput, from, to)) !== 0n) return staticInput
  return concatHex([slice(staticInput, 0, from), numberToHex(time, { size: 32 }), slice(staticInput, to)])
}

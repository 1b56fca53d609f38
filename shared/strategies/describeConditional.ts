import {
  type Address,
  concatHex,
  decodeAbiParameters,
  type Hex,
  numberToHex,
  parseAbiParameters,
  size,
  slice,
} from 'viem'

/** Kinds of conditional orders by the public addresses of their handlers, see docs/strategies.md. */
const types = {
  '0x6cf1e9ca41f7611def408122793c358a3d11e5a5': 'twap',
  '0x412c36e5011cd2517016d243a2dfb37f73a242e7': 'stopLoss',
  '0xe8212f30c28b4aab467df3725c14d6e89c2eb967': 'stopLoss',
  '0xdaf33924925e03c9cc3a10d434016d6cfad0add5': 'goodAfterTime',
  '0x812308712a6d1367f437e1c1e4af85c854e1e9f6': 'tradeAboveThreshold',
  '0x519ba24e959e33b3b6220ca98bd353d8c2d89920': 'perpetualStableSwap',
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

const twapType = parseAbiParameters(
  'address, address, address, uint256, uint256, uint256, uint256, uint256, uint256, bytes32',
)

/** Number of parts of a TWAP; null for other kinds and malformed ones. */
export const findPartCount = (handler: Address, staticInput: Hex): number | null => {
  if (findConditionalType(handler) !== 'twap') return null
  try {
    const count = decodeAbiParameters(twapType, staticInput)[6]
    return count <= Number.MAX_SAFE_INTEGER ? Number(count) : null
  } catch {
    return null
  }
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

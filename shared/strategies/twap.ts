import { type Address, decodeAbiParameters, encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'

/** Terms of a TWAP, see contracts/Twap.sol. */
export type Twap = {
  sellToken: Address
  buyToken: Address
  receiver: Address
  /** sell token atoms of each part */
  partSellAmount: bigint
  /** least buy token atoms of each part */
  minPartLimit: bigint
  /** start, Unix seconds; zero: the time of the block that creates it */
  t0: bigint
  /** number of parts */
  n: bigint
  /** seconds from part to part */
  t: bigint
  /** seconds for which each part is valid; zero: until the next one */
  span: bigint
  appData: Hex
}

const twapType = parseAbiParameters([
  'Twap twap',
  'struct Twap { address sellToken; address buyToken; address receiver; uint256 partSellAmount; uint256 minPartLimit; uint256 t0; uint256 n; uint256 t; uint256 span; bytes32 appData; }',
])

/** Static input of a TWAP. */
export const encodeTwap = (twap: Twap): Hex => encodeAbiParameters(twapType, [twap])

/** Terms of a static input; null for a malformed one. */
export const readTwap = (staticInput: Hex): Twap | null => {
  try {
    return decodeAbiParameters(twapType, staticInput)[0]
  } catch {
    return null
  }
}

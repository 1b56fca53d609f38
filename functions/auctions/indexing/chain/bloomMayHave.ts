import { type Hex, hexToBytes, keccak256 } from 'viem'

const bits = 2_048

/**
 * Whether a block's `logsBloom` (256 bytes) may contain logs of this address or topic. False is certain, true is not.
 * Always false on a chain without such filters. Source: Ethereum's yellow paper, section 4.3.1: each item sets three
 * bits, given by the first three byte pairs of its hash.
 */
export const bloomMayHave = (bloom: Hex, item: Hex): boolean => {
  if (bloom.length !== 2 + bits / 4) return false
  const filter = hexToBytes(bloom)
  const hash = hexToBytes(keccak256(item))
  return [0, 2, 4].every((i) => {
    const bit = (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) % bits
    const byte = filter[filter.length - 1 - (bit >> 3)] ?? 0
    return (byte & (1 << (bit & 7))) !== 0
  })
}

import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem'

const positions = new Map<Hex, readonly number[]>()

/** The bits of an item: the first three byte pairs of its hash, modulo 2048. Source: the yellow paper, 4.3.1. */
const findPositions = (item: Hex): readonly number[] => {
  const known = positions.get(item)
  if (known) return known
  const hash = hexToBytes(keccak256(item))
  const found = [0, 2, 4].map((i) => (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2_047)
  if (positions.size > 10_000) positions.clear()
  positions.set(item, found)
  return found
}

/** `logsBloom` of a block's logs. */
export const computeBloom = (logs: readonly { address: Hex; topics: readonly Hex[] }[]): Hex => {
  const filter = new Uint8Array(256)
  for (const { address, topics } of logs) {
    for (const bit of [address, ...topics].flatMap(findPositions)) {
      const index = 255 - (bit >> 3)
      filter[index] = (filter[index] ?? 0) | (1 << (bit & 7))
    }
  }
  return bytesToHex(filter)
}

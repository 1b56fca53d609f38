import { type Address, type Hex, hexToBytes, keccak256 } from 'viem'

/** A filter of 2,048 bits as an integer; undefined on a chain without such filters. */
export type Bloom = bigint | undefined

/** What a filter is computed from. */
type FilteredLog = { address: Address; topics: readonly Hex[] }

const bytes = 256

/** Parses a `logsBloom`. */
export const readBloom = (text: Hex | null | undefined): Bloom =>
  text?.length === 2 + 2 * bytes ? BigInt(text) : undefined

/**
 * The bits of an address or topic. Source: Ethereum's yellow paper, section 4.3.1: each item sets three bits, given by
 * the first three byte pairs of its hash.
 */
export const toBits = (item: Hex): bigint => {
  const hash = hexToBytes(keccak256(item))
  return [0, 2, 4].reduce((bits, i) => bits | (1n << BigInt((((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2_047)), 0n)
}

/** Whether a filter has all bits of another one. */
export const covers = (bloom: bigint, other: bigint): boolean => (bloom & other) === other

/** The filter of logs. */
export const computeBloom = (logs: readonly FilteredLog[]): bigint =>
  [...new Set(logs.flatMap(({ address, topics }) => [address.toLowerCase() as Hex, ...topics]))].reduce(
    (bloom, item) => bloom | toBits(item),
    0n,
  )

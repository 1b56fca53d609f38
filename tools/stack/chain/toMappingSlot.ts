import { concatHex, type Hex, keccak256, numberToHex } from 'viem'

/** Storage slot of a key in the Solidity mapping at `slot`; addresses, numbers and hashes are words alike. */
export const toMappingSlot = (key: Hex | bigint, slot: Hex | bigint): Hex =>
  keccak256(concatHex([toWord(key), toWord(slot)]))

const toWord = (value: Hex | bigint): Hex => numberToHex(BigInt(value), { size: 32 })

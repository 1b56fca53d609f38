import { type Address, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'

export const ownerCount = 50

/** Private key of an owner. */
export const benchKeyOf = (index: number): Hex => keccak256(toHex(`bench ${index}`))

/** The owners of the signed orders; they need sell tokens and an allowance. */
export const benchOwners = (): Address[] =>
  Array.from({ length: ownerCount }, (_, index) => privateKeyToAddress(benchKeyOf(index)).toLowerCase() as Address)

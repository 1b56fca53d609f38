import { type Hex, pad, size, stringToHex, toHex } from 'viem'

/** Storage slot of a Solidity string of at most 31 bytes: left-aligned text, twice its length in the last byte. */
export const toShortStringSlot = (text: string): Hex => {
  const bytes = stringToHex(text)
  const length = size(bytes)
  if (length > 31) throw new Error(`'${text}' is too long for one slot`)
  return `${pad(bytes, { dir: 'right', size: 31 })}${toHex(length * 2, { size: 1 }).slice(2)}`
}

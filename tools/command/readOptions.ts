import type { Address } from 'viem'
import { addressSchema } from '#shared/validation/chainValues.ts'

/** The address of an option or argument. @throws Error with its name and text */
export const readAddress = (name: string, text: string): Address => {
  const address = addressSchema.safeParse(text)
  if (address.success) return address.data
  throw new Error(`${name}: 0x and 40 hex digits; got ${text}`)
}

/** Atoms of a token with 18 decimals exceed what a number holds exactly. @throws Error with name and text */
export const readAtoms = (name: string, text: string): bigint => {
  if (/^[1-9]\d{0,77}$/.test(text)) return BigInt(text)
  throw new Error(`${name}: a positive whole number; got ${text}`)
}

import type { Address, Hex } from 'viem'
import { readSingleWord } from '../chain/calls/readWord.ts'
import { decodeTokenText } from './decodeTokenText.ts'
import type { TokenDetails } from './tokenDetails.ts'

/**
 * Parses the outcomes of `buildDetailsCalls`.
 * @param responses outcomes, starting with those of this token
 * @returns undefined for an account that states neither its supply nor its decimals: no ERC-20 token
 */
export const readTokenDetails = (
  address: Address,
  responses: readonly (Hex | undefined)[],
): TokenDetails | undefined => {
  const [totalSupply, name, symbol, decimals] = responses
  const scale = readSingleWord(decimals)
  const places = scale !== undefined && scale < 256n ? Number(scale) : undefined
  if (readSingleWord(totalSupply) === undefined && places === undefined) return undefined
  return {
    address,
    ...toField('name', decodeTokenText(name)),
    ...toField('symbol', decodeTokenText(symbol)),
    ...toField('decimals', places),
  }
}

const toField = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [key in Key]?: Value }

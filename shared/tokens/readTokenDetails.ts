import type { Address, Hex } from 'viem'
import { readSingleWord } from '../chain/calls/readWord.ts'
import { decodeTokenText } from './decodeTokenText.ts'
import type { TokenDetails } from './tokenDetails.ts'

/**
 * Parses the outcomes of `buildDetailsCalls`.
 * @param responses outcomes, starting with those of this token
 * @returns undefined for an account that is not an ERC-20 token
 */
export const readTokenDetails = (
  address: Address,
  responses: readonly (Hex | undefined)[],
): TokenDetails | undefined => {
  const [totalSupply, name, symbol, decimals] = responses
  if (readSingleWord(totalSupply) === undefined) return undefined
  const scale = readSingleWord(decimals)
  return {
    address,
    ...toField('name', decodeTokenText(name)),
    ...toField('symbol', decodeTokenText(symbol)),
    ...toField('decimals', scale !== undefined && scale < 256n ? Number(scale) : undefined),
  }
}

const toField = <Key extends string, Value>(key: Key, value: Value | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [key in Key]?: Value }

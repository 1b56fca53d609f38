import { findToken } from '../../tokens/tokenBook.ts'
import type { FindToken } from './tokenColumns.ts'

/** Metadata of all tokens of some rows. */
export const findTokensOf = async (
  chainId: number,
  rows: readonly { sellToken: string; buyToken: string }[],
): Promise<FindToken> => {
  const addresses = [...new Set(rows.flatMap(({ sellToken, buyToken }) => [sellToken, buyToken]))]
  const tokens = await Promise.all(addresses.map((address) => findToken(chainId, address)))
  const byAddress = new Map(addresses.map((address, place) => [address, tokens[place]]))
  return (address) => byAddress.get(address)
}

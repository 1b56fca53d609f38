import type { Network } from '../../networks/NetworksProvider.tsx'
import { findToken } from '../../tokens/tokenBook.ts'
import { type Sale, toPaidToken } from '../../tokens/toPaidToken.ts'
import type { FindToken } from './tokenColumns.ts'

/** Metadata of all tokens of some rows. */
export const findTokensOf = async (
  network: Network,
  rows: readonly (Sale & { buyToken: string })[],
): Promise<FindToken> => {
  const addresses = [...new Set(rows.flatMap((row) => [toPaidToken(network, row), row.buyToken]))]
  const tokens = await Promise.all(addresses.map((address) => findToken(network.chainId, address)))
  const byAddress = new Map(addresses.map((address, place) => [address, tokens[place]]))
  return (address) => byAddress.get(address)
}

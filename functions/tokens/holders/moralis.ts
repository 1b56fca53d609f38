import { z } from 'zod'
import { requestProvider } from '#shared/http/requestProvider.ts'
import type { NetworkName } from '#shared/networks.ts'
import { type HolderSource, maxHolders } from './holderSource.ts'
import { readListedHolders } from './readListedHolders.ts'

/** Moralis' names of networks. */
const chains: { [name in NetworkName]?: string } = {
  mainnet: 'eth',
  gnosis: 'gnosis',
  arbitrum_one: 'arbitrum',
  base: 'base',
  bnb: 'bsc',
  polygon: 'polygon',
  avalanche: 'avalanche',
  linea: 'linea',
  sepolia: 'sepolia',
}

const responseSchema = z
  .object({ result: z.array(z.object({ owner_address: z.unknown(), balance: z.unknown() })) })
  .transform(({ result }) => result.map(({ owner_address, balance }) => ({ address: owner_address, balance })))

/** Holders by Moralis' Web3 Data API, version 2.2. */
export const moralis = ({ url, apiKey }: { url: string; apiKey: string }): HolderSource => ({
  name: 'moralis',
  findHolders: async (network, token) => {
    const chain = chains[network.name as NetworkName]
    if (!chain) return { status: 'unknown' }
    const query = `chain=${chain}&limit=${maxHolders}&order=DESC`
    const headers = { 'X-API-Key': apiKey, Accept: 'application/json' }
    const request = new Request(`${url}/api/v2.2/erc20/${token}/owners?${query}`, { headers })
    return readListedHolders(await requestProvider(request), responseSchema)
  },
})

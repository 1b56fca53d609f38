import { z } from 'zod'
import { requestProvider } from '#shared/http/requestProvider.ts'
import type { NetworkName } from '#shared/networks.ts'
import { type HolderSource, maxHolders } from './holderSource.ts'
import { readListedHolders } from './readListedHolders.ts'

/** GoldRush's names of networks. */
const chains: { [name in NetworkName]?: string } = {
  mainnet: 'eth-mainnet',
  gnosis: 'gnosis-mainnet',
  arbitrum_one: 'arbitrum-mainnet',
  base: 'base-mainnet',
  sepolia: 'eth-sepolia',
}

const responseSchema = z
  .object({ data: z.object({ items: z.array(z.object({ address: z.unknown(), balance: z.unknown() })) }) })
  .transform(({ data }) => data.items)

/** Holders by GoldRush's (once Covalent's) token holders, version 2. */
export const goldRush = ({ url, apiKey }: { url: string; apiKey: string }): HolderSource => ({
  name: 'goldrush',
  findHolders: async (network, token) => {
    const chain = chains[network.name as NetworkName]
    if (!chain) return { status: 'unknown' }
    const headers = { Authorization: `Bearer ${apiKey}`, Accept: 'application/json' }
    const path = `v1/${chain}/tokens/${token}/token_holders_v2/?page-size=${maxHolders}&page-number=0`
    return readListedHolders(await requestProvider(new Request(`${url}/${path}`, { headers })), responseSchema)
  },
})

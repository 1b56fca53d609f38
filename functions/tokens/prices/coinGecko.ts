import { z } from 'zod'
import { requestProvider } from '#shared/http/requestProvider.ts'
import { type NetworkName, nativeSentinel } from '#shared/networks.ts'
import { type PriceSource, toPriceOutcome } from './priceSource.ts'

/** CoinGecko's names of the platform of token contracts, and of the gas token. */
const platforms: { [name in NetworkName]?: { platform: string; nativeCoin: string } } = {
  mainnet: { platform: 'ethereum', nativeCoin: 'ethereum' },
  gnosis: { platform: 'xdai', nativeCoin: 'xdai' },
  arbitrum_one: { platform: 'arbitrum-one', nativeCoin: 'ethereum' },
  base: { platform: 'base', nativeCoin: 'ethereum' },
  bnb: { platform: 'binance-smart-chain', nativeCoin: 'binancecoin' },
  polygon: { platform: 'polygon-pos', nativeCoin: 'polygon-ecosystem-token' },
  plasma: { platform: 'plasma', nativeCoin: 'plasma' },
  avalanche: { platform: 'avalanche', nativeCoin: 'avalanche-2' },
  ink: { platform: 'ink', nativeCoin: 'ethereum' },
  linea: { platform: 'linea', nativeCoin: 'ethereum' },
}

const responseSchema = z.record(z.string(), z.object({ usd: z.number().nullish() }))

/** Prices of CoinGecko's API, version 3. Tokens of unsupported networks are unknown. */
export const coinGecko = ({ url, apiKey }: { url: string; apiKey: string }): PriceSource => ({
  name: 'coingecko',
  findPrice: async (network, token) => {
    const known = platforms[network.name as NetworkName]
    if (!known) return { status: 'unknown' }
    const isNative = token === nativeSentinel
    const id = isNative ? known.nativeCoin : token
    const path = isNative ? `price?ids=${id}` : `token_price/${known.platform}?contract_addresses=${id}`
    const headers = { 'x-cg-pro-api-key': apiKey, Accept: 'application/json' }
    const response = await requestProvider(new Request(`${url}/api/v3/simple/${path}&vs_currencies=usd`, { headers }))
    if (response.status === 'absent') return { status: 'unknown' }
    if (response.status !== 'answered') return response
    const body = responseSchema.safeParse(response.body)
    if (!body.success) return { status: 'failed', reason: 'not the documented shape' }
    return toPriceOutcome(body.data[id]?.usd)
  },
})

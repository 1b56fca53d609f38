import { z } from 'zod'
import { requestProvider } from '#shared/http/requestProvider.ts'
import { type NetworkName, nativeSentinel } from '#shared/networks.ts'
import { type PriceSource, toPriceOutcome } from './priceSource.ts'

/** DefiLlama's names of networks and their gas tokens. */
const chains: { [name in NetworkName]?: { chain: string; nativeCoin: string } } = {
  mainnet: { chain: 'ethereum', nativeCoin: 'coingecko:ethereum' },
  gnosis: { chain: 'xdai', nativeCoin: 'coingecko:xdai' },
  arbitrum_one: { chain: 'arbitrum', nativeCoin: 'coingecko:ethereum' },
  base: { chain: 'base', nativeCoin: 'coingecko:ethereum' },
  bnb: { chain: 'bsc', nativeCoin: 'coingecko:binancecoin' },
  polygon: { chain: 'polygon', nativeCoin: 'coingecko:polygon-ecosystem-token' },
  plasma: { chain: 'plasma', nativeCoin: 'coingecko:plasma' },
  avalanche: { chain: 'avax', nativeCoin: 'coingecko:avalanche-2' },
  ink: { chain: 'ink', nativeCoin: 'coingecko:ethereum' },
  linea: { chain: 'linea', nativeCoin: 'coingecko:ethereum' },
}

/** Minimum confidence of DefiLlama in a price (0 to 1). */
const minConfidence = 0.8

const responseSchema = z.object({
  coins: z.record(z.string(), z.object({ price: z.number(), confidence: z.number().optional() })),
})

/** Prices of DefiLlama's coins API. */
export const defiLlama = ({ url, apiKey }: { url: string; apiKey: string }): PriceSource => ({
  name: 'defillama',
  findPrice: async (network, token) => {
    const known = chains[network.name as NetworkName]
    if (!known) return { status: 'unknown' }
    const coin = token === nativeSentinel ? known.nativeCoin : `${known.chain}:${token}`
    const response = await requestProvider(new Request(`${url}/${apiKey}/coins/prices/current/${coin}`))
    if (response.status === 'absent') return { status: 'unknown' }
    if (response.status !== 'answered') return response
    const body = responseSchema.safeParse(response.body)
    if (!body.success) return { status: 'failed', reason: 'not the documented shape' }
    const found = body.data.coins[coin]
    return found && (found.confidence ?? 1) >= minConfidence ? toPriceOutcome(found.price) : { status: 'unknown' }
  },
})

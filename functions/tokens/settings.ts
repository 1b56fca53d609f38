import type { Address } from 'viem'
import { z } from 'zod'
import { type NetworkName, networkNames } from '#shared/networks.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import type { TopHolders } from './holders/findTopHolders.ts'
import { holderTokensSchema } from './holders/holderTokens.ts'
import type { UsdPrice } from './prices/findUsdPrice.ts'
import type { QuotesWorker } from './prices/ownPrices.ts'

/** The namespace of the Durable Object `PriceBook`. */
type PriceBooks = {
  getByName: (name: string) => { findPrice: (network: NetworkName, token: Address) => Promise<UsdPrice> }
}

/** The namespace of the Durable Object `HolderBook`. */
type HolderBooks = {
  getByName: (name: string) => { findHolders: (network: NetworkName, token: Address) => Promise<TopHolders> }
}

const ethplorerUrls = '{"mainnet":"https://api.ethplorer.io","sepolia":"https://sepolia-api.ethplorer.io"}'

const providerUrl = (byDefault: string) => z.url({ protocol: /^https?$/ }).default(byDefault)

/** The environment of the tokens Worker, besides a service binding `QUOTES_<NETWORK>` per network. */
export const settingsSchema = z
  .looseObject({
    RPC_URLS: networkUrlsSchema,
    /** a secret; without it CoinGecko is disabled */
    COINGECKO_API_KEY: z.string().min(1).optional(),
    COINGECKO_URL: providerUrl('https://pro-api.coingecko.com'),
    /** a secret; without it DefiLlama is disabled */
    DEFILLAMA_API_KEY: z.string().min(1).optional(),
    DEFILLAMA_URL: providerUrl('https://pro-api.llama.fi'),
    /** prices that differ by more contradict each other */
    PRICE_MAX_DEVIATION_BPS: z.coerce.number().int().positive().default(1_000),
    PRICES: z.custom<PriceBooks>((binding) => binding !== undefined, 'no binding'),
    /** a secret; without it Moralis is disabled */
    MORALIS_API_KEY: z.string().min(1).optional(),
    MORALIS_URL: providerUrl('https://deep-index.moralis.io'),
    /** a secret; without it Ethplorer is disabled */
    ETHPLORER_API_KEY: z.string().min(1).optional(),
    /** base URLs of the supported networks */
    ETHPLORER_URLS: networkUrlsSchema.prefault(ethplorerUrls),
    /** a secret; without it GoldRush is disabled */
    GOLDRUSH_API_KEY: z.string().min(1).optional(),
    GOLDRUSH_URL: providerUrl('https://api.covalenthq.com'),
    HOLDER_TOKENS: holderTokensSchema.prefault('{}'),
    HOLDERS: z.custom<HolderBooks>((binding) => binding !== undefined, 'no binding'),
  })
  .transform((env) => ({ ...env, quotes: connectQuotes(env) }))

export type Settings = z.infer<typeof settingsSchema>

const connectQuotes = (env: Record<string, unknown>): ReadonlyMap<NetworkName, QuotesWorker> =>
  new Map(
    networkNames.flatMap((name) => {
      const worker = env[`QUOTES_${name.toUpperCase()}`] as QuotesWorker | undefined
      return worker ? [[name, worker]] : []
    }),
  )

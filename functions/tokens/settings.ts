import type { Address } from 'viem'
import { z } from 'zod'
import { networkUrlsSchema } from '#shared/networks/networkSettings.ts'
import { type NetworkName, networkNames } from '#shared/networks.ts'
import { binding } from '#shared/settings/binding.ts'
import { httpUrlSchema, RPC_URLS } from '#shared/settings/connectionSettings.ts'
import type { ServiceBinding } from '#shared/settings/serviceBinding.ts'
import { setting } from '#shared/settings/setting.ts'
import type { TopHolders } from './holders/findTopHolders.ts'
import { holderTokensSchema } from './holders/holderTokens.ts'
import type { UsdPrice } from './prices/findUsdPrice.ts'

/** The namespace of the Durable Object `PriceBook`. */
type PriceBooks = {
  getByName: (name: string) => { findPrice: (network: NetworkName, token: Address) => Promise<UsdPrice> }
}

/** The namespace of the Durable Object `HolderBook`. */
type HolderBooks = {
  getByName: (name: string) => { findHolders: (network: NetworkName, token: Address) => Promise<TopHolders> }
}

const apiKey = z.string().min(1)

/** The environment of the tokens Worker, besides a service binding `QUOTES_<NETWORK>` per network. */
export const settingsSchema = z
  .looseObject({
    RPC_URLS,
    COINGECKO_API_KEY: setting(apiKey, {
      description: 'key of CoinGecko, for prices',
      scope: 'shared',
      secret: true,
      absent: 'CoinGecko is disabled',
    }),
    COINGECKO_URL: setting(httpUrlSchema, {
      description: 'API of CoinGecko',
      scope: 'shared',
      default: 'https://pro-api.coingecko.com',
    }),
    DEFILLAMA_API_KEY: setting(apiKey, {
      description: 'key of DefiLlama, for prices',
      scope: 'shared',
      secret: true,
      absent: 'DefiLlama is disabled',
    }),
    DEFILLAMA_URL: setting(httpUrlSchema, {
      description: 'API of DefiLlama',
      scope: 'shared',
      default: 'https://pro-api.llama.fi',
    }),
    PRICE_MAX_DEVIATION_BPS: setting(z.coerce.number().int().positive(), {
      description: 'prices of two sources that differ by more are not returned',
      scope: 'shared',
      unit: 'bps',
      default: '1000',
    }),
    PRICES: binding<PriceBooks>(),
    MORALIS_API_KEY: setting(apiKey, {
      description: 'key of Moralis, for holders',
      scope: 'shared',
      secret: true,
      absent: 'Moralis is disabled',
    }),
    MORALIS_URL: setting(httpUrlSchema, {
      description: 'API of Moralis',
      scope: 'shared',
      default: 'https://deep-index.moralis.io',
    }),
    ETHPLORER_API_KEY: setting(apiKey, {
      description: 'key of Ethplorer, for holders',
      scope: 'shared',
      secret: true,
      absent: 'Ethplorer is disabled',
    }),
    ETHPLORER_URLS: setting(networkUrlsSchema, {
      description: 'APIs of Ethplorer by network, a JSON object',
      scope: 'shared',
      default: '{"mainnet":"https://api.ethplorer.io","sepolia":"https://sepolia-api.ethplorer.io"}',
    }),
    GOLDRUSH_API_KEY: setting(apiKey, {
      description: 'key of GoldRush, for holders',
      scope: 'shared',
      secret: true,
      absent: 'GoldRush is disabled',
    }),
    GOLDRUSH_URL: setting(httpUrlSchema, {
      description: 'API of GoldRush',
      scope: 'shared',
      default: 'https://api.covalenthq.com',
    }),
    HOLDER_TOKENS: setting(holderTokensSchema, {
      description: 'tokens with an own index of holders, and their first blocks: `{"sepolia":{"0x…":0}}`',
      scope: 'shared',
      default: '{}',
    }),
    HOLDERS: binding<HolderBooks>(),
  })
  .transform((env) => ({ ...env, quotes: connectQuotes(env) }))

export type Settings = z.infer<typeof settingsSchema>

const connectQuotes = (env: Record<string, unknown>): ReadonlyMap<NetworkName, ServiceBinding> =>
  new Map(
    networkNames.flatMap((name) => {
      const worker = env[`QUOTES_${name.toUpperCase()}`] as ServiceBinding | undefined
      return worker ? [[name, worker]] : []
    }),
  )

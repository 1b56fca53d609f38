import { z } from 'zod'
import type { NetworkName } from '#shared/networks.ts'
import { binding } from '#shared/settings/binding.ts'
import { DATABASE_URL, DATABASE_URLS, httpUrlSchema, RPC_URLS } from '#shared/settings/connectionSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import { readSlippageBounds, slippageSettings } from '#shared/slippage/slippageSettings.ts'
import { switchSchema } from '#shared/validation/settingFormats.ts'
import type { TokensWorker } from './prices/findSampledPrices.ts'

/** The namespaces of the Durable Objects `PriceSampler` and `YieldCollector`. */
type Samplers = { getByName: (network: string) => { arm: (network: NetworkName) => Promise<void> } }
type Collectors = { getByName: (name: string) => { arm: () => Promise<void> } }

/** The environment of the markets Worker. */
export const settingsSchema = z
  .looseObject({
    RPC_URLS,
    DATABASE_URL,
    DATABASE_URLS,
    ...slippageSettings,
    PRICE_SAMPLE_INTERVAL_MS: setting(z.coerce.number().int().min(1_000), {
      description:
        'time between two price samples; a series has one for each five minutes, however often prices are sampled',
      scope: 'shared',
      unit: 'ms',
      default: '300000',
    }),
    YIELDS_ENABLED: setting(switchSchema, {
      description: 'enables yields of DefiLlama: `true` or `false`',
      scope: 'shared',
      default: 'false',
    }),
    DEFILLAMA_YIELDS_URL: setting(httpUrlSchema, {
      description: "list of pools; may hold a key; only some of DefiLlama's lists name the contracts of pools",
      scope: 'shared',
      secret: true,
      default: 'https://yields.llama.fi/pools',
    }),
    TOKENS: binding<TokensWorker>(),
    SAMPLERS: binding<Samplers>(),
    COLLECTORS: binding<Collectors>(),
  })
  .transform((env, context) => ({ ...env, slippageBounds: readSlippageBounds(env, context) }))

export type Settings = z.infer<typeof settingsSchema>

import { z } from 'zod'
import type { NetworkName } from '#shared/networks.ts'
import { readSlippageBounds, slippageSettings } from '#shared/slippage/slippageSettings.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { switchSchema } from '#shared/validation/switch.ts'
import type { TokensWorker } from './prices/findPrices.ts'

/** The namespaces of the Durable Objects `PriceSampler` and `YieldCollector`. */
type Samplers = { getByName: (network: string) => { arm: (network: NetworkName) => Promise<void> } }
type Collectors = { getByName: (name: string) => { arm: () => Promise<void> } }

const isGiven = (binding: unknown): boolean => binding !== undefined

/** Settings and bindings of the markets Worker. */
export const settingsSchema = z
  .looseObject({
    RPC_URLS: networkUrlsSchema,
    DATABASE_URL: databaseUrlSchema,
    ...slippageSettings,
    /** interval between samples; a series has one price per five minutes, independent of it */
    PRICE_SAMPLE_INTERVAL_MS: z.coerce.number().int().min(1_000).default(300_000),
    /** whether yields are requested from DefiLlama */
    YIELDS_ENABLED: switchSchema.default(false),
    /** may contain a key, so it may be a secret; only some of DefiLlama's lists name pool contracts */
    DEFILLAMA_YIELDS_URL: z.url({ protocol: /^https?$/ }).default('https://yields.llama.fi/pools'),
    TOKENS: z.custom<TokensWorker>(isGiven, 'no binding'),
    SAMPLERS: z.custom<Samplers>(isGiven, 'no binding'),
    COLLECTORS: z.custom<Collectors>(isGiven, 'no binding'),
  })
  .transform((env, context) => ({ ...env, slippageBounds: readSlippageBounds(env, context) }))

export type Settings = z.infer<typeof settingsSchema>

/** Invalid settings, one line each. */
export const describeFaults = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

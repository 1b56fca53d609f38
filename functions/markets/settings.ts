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

/** What the markets Worker needs of its environment. */
export const settingsSchema = z
  .looseObject({
    RPC_URLS: networkUrlsSchema,
    DATABASE_URL: databaseUrlSchema,
    ...slippageSettings,
    /** how often prices are asked for; a series has one for each five minutes, however often */
    PRICE_SAMPLE_INTERVAL_MS: z.coerce.number().int().min(1_000).default(300_000),
    /** whether DefiLlama is asked for what pools earn */
    YIELDS_ENABLED: switchSchema.default(false),
    /** may hold a key, so it may be a secret; only some of DefiLlama's lists name the contracts of pools */
    DEFILLAMA_YIELDS_URL: z.url({ protocol: /^https?$/ }).default('https://yields.llama.fi/pools'),
    TOKENS: z.custom<TokensWorker>(isGiven, 'no binding'),
    SAMPLERS: z.custom<Samplers>(isGiven, 'no binding'),
    COLLECTORS: z.custom<Collectors>(isGiven, 'no binding'),
  })
  .transform((env, context) => ({ ...env, slippageBounds: readSlippageBounds(env, context) }))

export type Settings = z.infer<typeof settingsSchema>

/** What is wrong with the environment, a line for each setting. */
export const describeFaults = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

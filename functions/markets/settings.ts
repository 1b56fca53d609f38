import { z } from 'zod'
import type { NetworkName } from '#shared/networks.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { switchSchema } from '#shared/validation/switch.ts'
import type { TokensWorker } from './findPrices.ts'

/** The namespaces of the Durable Objects `PriceSampler` and `YieldCollector`. */
type Samplers = { getByName: (network: string) => { arm: (network: NetworkName) => Promise<void> } }
type Collectors = { getByName: (name: string) => { arm: () => Promise<void> } }

const bps = (byDefault: number) => z.coerce.number().int().min(0).max(10_000).default(byDefault)
const isGiven = (binding: unknown): boolean => binding !== undefined

/** What the markets Worker needs of its environment. */
export const settingsSchema = z
  .looseObject({
    RPC_URLS: networkUrlsSchema,
    DATABASE_URL: databaseUrlSchema,
    /** no slippage is answered below or above these, … */
    SLIPPAGE_MIN_BPS: bps(5),
    SLIPPAGE_MAX_BPS: bps(2_000),
    /** … and this one when too little is known of a pair */
    SLIPPAGE_DEFAULT_BPS: bps(50),
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
  .refine(({ SLIPPAGE_MIN_BPS: min, SLIPPAGE_MAX_BPS: max }) => min <= max, {
    path: ['SLIPPAGE_MAX_BPS'],
    error: 'less than SLIPPAGE_MIN_BPS',
  })

export type Settings = z.infer<typeof settingsSchema>

/** What is wrong with the environment, a line for each setting. */
export const describeFaults = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

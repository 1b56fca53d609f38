import { z } from 'zod'
import { feeSettings, readFeeRules } from '#shared/fees/feeSettings.ts'
import { connectSolvers, solverListSchema } from '#shared/solvers/solverList.ts'
import { addressListSchema } from '#shared/validation/addressList.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkSchema } from '#shared/validation/network.ts'

/** The namespace of the Durable Object `AuctionClock`. */
type Clocks = { getByName: (network: string) => { arm: () => Promise<void>; wake: () => Promise<void> } }

/** The service binding of the notifier. */
type Notifier = { fetch: (url: string, init: RequestInit) => Promise<Response> }

const milliseconds = (byDefault: number) => z.coerce.number().int().positive().default(byDefault)

/** What the auctions Worker needs of its environment; the service bindings named in `SOLVERS` pass through unparsed. */
export const settingsSchema = z
  .looseObject({
    NETWORK: networkSchema,
    DATABASE_URL: databaseUrlSchema,
    RPC_URL: z.url({ protocol: /^https?$/ }),
    SOLVERS: solverListSchema,
    /** how long solvers may think about an auction */
    SOLVE_TIME_MS: milliseconds(10_000),
    TICK_INTERVAL_MS: milliseconds(1_000),
    /** an auction whose orders found no solution is put to the solvers again after this long, or with the next block */
    AUCTION_INTERVAL_MS: milliseconds(10_000),
    /** blocks that a winner has to settle */
    SUBMISSION_DEADLINE_BLOCKS: z.coerce.number().int().positive().default(5),
    /** least rest of an order's validity to enter an auction */
    MIN_VALIDITY_SECONDS: z.coerce.number().int().nonnegative().default(60),
    /** a native price older than this is asked again */
    PRICE_MAX_AGE_MS: milliseconds(30_000),
    /** nobody on it, as owner or receiver, trades; the same as of the orders Worker */
    BANNED_USERS: addressListSchema.default([]),
    /** tokens that are not traded; the same as of the orders Worker */
    UNSUPPORTED_TOKENS: addressListSchema.default([]),
    /** an order that asks for this much more than the market gives (1/10000 of the market) waits outside the auctions */
    OUT_OF_MARKET_BPS: z.coerce.number().int().nonnegative().default(5_000),
    /**
     * contracts whose `OrderPlacement` events are orders; default: the one for native tokens. Only trusted ones: whatever they
     * place stands in the order book without a signature that was checked
     */
    ONCHAIN_ORDER_CONTRACTS: addressListSchema.optional(),
    /** first block to index when nothing is indexed yet; default: the first of a short chain, else the head */
    START_BLOCK: z.coerce.number().int().nonnegative().optional(),
    /** a block before the fork, after a reorganisation deeper than the blocks kept: everything from it on is read again */
    REINDEX_FROM: z.coerce.number().int().nonnegative().optional(),
    /** owners whose orders capture surplus for them although only a solver brought them: they count towards its score */
    SURPLUS_CAPTURING_JIT_ORDER_OWNERS: addressListSchema.default([]),
    /** a promised rate this many times above the native prices, the order's quote and its limit is rejected */
    PLAUSIBLE_RATE_FACTOR: z.coerce.number().int().min(2).default(10),
    ...feeSettings,
    /** told that something may have happened to an order; without it nobody is notified */
    NOTIFIER: z.custom<Notifier>().optional(),
    CLOCK: z.custom<Clocks>((binding) => binding !== undefined, 'no binding'),
  })
  .transform((env, context) => ({ ...env, feeRules: readFeeRules(env, context) }))
  .transform((env, context) => {
    try {
      return { ...env, solvers: connectSolvers(env.SOLVERS, env) }
    } catch (error) {
      context.addIssue({ code: 'custom', path: ['SOLVERS'], message: (error as Error).message })
      return z.NEVER
    }
  })

export type Settings = z.infer<typeof settingsSchema>

/** What is wrong with the environment, a line for each setting. */
export const describeFaults = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

import { z } from '@hono/zod-openapi'
import { pauseSchema } from '../pauses/pauseSchema.ts'
import { addressSchema, amountTextSchema } from '../validation/chainValues.ts'

const count = z.number().int().nonnegative()
const milliseconds = z.number().int().nonnegative().nullable()
const seconds = z.number().nonnegative().nullable()

const latencySchema = z
  .object({ count, p50Ms: milliseconds, p95Ms: milliseconds, p99Ms: milliseconds })
  .openapi('Latency', { description: 'over the last hour, at most the newest 20,000; null without any' })

export const suspensionSchema = z.object({
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  reason: z.enum(['timeout', 'mismatch', 'reverted']).openapi({
    description:
      'timeout: wins were not settled; mismatch: a settlement paid less than promised; both exclude the solver from auctions. reverted: settlements failed; solutions of other solvers take precedence',
  }),
  failures: count.openapi({ description: 'failed wins for which the solver is to blame' }),
  attempts: z
    .array(
      z.object({
        auctionId: count,
        outcome: z.string().openapi({ description: 'as in `solver_competition`' }),
        reason: z.string().openapi({ description: 'why the solver is to blame' }),
        debt: amountTextSchema.nullable().openapi({ description: 'what a mismatch paid less than promised, wei' }),
      }),
    )
    .default([])
    .openapi({ description: 'these failed wins, newest first' }),
})

/** Status of one network, as in `status.json`. */
export const networkStatusSchema = z
  .object({
    state: z.literal('ok'),
    chainId: z.number().int(),
    time: z.iso.datetime().openapi({ description: 'time of this status' }),
    pauses: z.array(pauseSchema).default([]).openapi({ description: 'what the operator has paused, oldest first' }),
    quotes: latencySchema,
    submissions: latencySchema,
    timeToFill: latencySchema.openapi({
      description:
        'of market orders, from their creation until the block of their first trade: over the last hour, at most the newest 2,000 trades; null without any',
    }),
    auctions: z.object({
      newestId: count.nullable(),
      newestAgeSeconds: seconds.openapi({
        description: 'seconds since the block of the newest auction; null when it is too old',
      }),
      openOrders: count.openapi({ description: 'orders in the newest auction' }),
      lastWinAgeSeconds: seconds.openapi({ description: 'seconds since the newest settlement request to a winner' }),
      fillsLastHour: count.openapi({ description: 'trades, by the time of their blocks' }),
    }),
    indexer: z.object({
      block: count.nullable().openapi({ description: 'newest indexed block' }),
      head: count.nullable().openapi({ description: 'newest block of the node; null when the node does not respond' }),
      safeBlock: count
        .nullable()
        .openapi({ description: 'newest block that is rarely replaced, by the entry of the network' }),
      finalizedBlock: count.nullable().openapi({ description: 'newest block that is never replaced, likewise' }),
      lagBlocks: count.nullable(),
      lagSeconds: seconds.openapi({ description: 'from the newest indexed block to the head' }),
      headAgeSeconds: seconds.openapi({ description: 'since the block at the head' }),
      difference: z.string().nullable().default(null).openapi({
        description:
          'the oldest difference between the chain and the index that is not repaired yet, such as a block whose logs the node leaves out; null without one',
      }),
    }),
    notifications: z.object({
      oldestUndeliveredSeconds: seconds.openapi({ description: 'null without pending deliveries' }),
    }),
    solvers: z
      .array(
        z.object({
          name: z.string().nullable().openapi({ description: 'null for a solver that no longer competes' }),
          address: addressSchema,
          solutions: count,
          wins: count,
          attempts: count.openapi({ description: 'settlements requested from it' }),
          successes: count,
          failures: count.openapi({ description: 'attempts that timed out or that it abandoned' }),
          lastSolutionAgeSeconds: seconds.openapi({
            description: 'seconds since the newest auction with a valid solution of it; null without one',
          }),
          fault: z.string().nullable().openapi({
            description:
              'why it cannot settle now: its account, its settlement queue or its node; null when it can, and for external drivers',
          }),
          missedAuctions: count.openapi({
            description: 'auctions since then, within the last 24 hours, with solutions of other solvers',
          }),
          debt: amountTextSchema.default('0').openapi({
            description: 'what its settlements paid less than promised, wei; half of it is forgotten per day',
          }),
          suspension: suspensionSchema.nullable().openapi({ description: 'null without restrictions' }),
        }),
      )
      .openapi({ description: 'over the last 24 hours: configured solvers, and others with activity' }),
    hours: z
      .array(
        z.object({
          hour: z.iso.datetime(),
          quotes: count,
          quoteP95Ms: milliseconds,
          submissions: count,
          submissionP95Ms: milliseconds,
          fills: count,
        }),
      )
      .openapi({ description: 'the last 24 hours, oldest first; the last one is still running' }),
  })
  .openapi('NetworkStatus')

export type NetworkStatus = z.infer<typeof networkStatusSchema>

import { z } from '@hono/zod-openapi'
import { addressSchema } from '../validation/address.ts'

const count = z.number().int().nonnegative()
const milliseconds = z.number().int().nonnegative().nullable()
const seconds = z.number().nonnegative().nullable()

const latencySchema = z
  .object({ count, p50Ms: milliseconds, p95Ms: milliseconds, p99Ms: milliseconds })
  .openapi('Latency', { description: 'of the last hour, its newest 20,000 at most; null when there was none' })

const suspensionSchema = z.object({
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  reason: z.enum(['timeout', 'mismatch', 'reverted']).openapi({
    description:
      'timeout: wins were not settled; mismatch: a settlement paid less than promised; both are left out of auctions. reverted: settlements failed; its solutions give way to those of others',
  }),
  failures: count.openapi({ description: 'failed wins in a row' }),
})

/** How one network is doing, as `status.json` says it. */
export const networkStatusSchema = z
  .object({
    state: z.literal('ok'),
    chainId: z.number().int(),
    time: z.iso.datetime().openapi({ description: 'when this was looked up' }),
    quotes: latencySchema,
    submissions: latencySchema,
    auctions: z.object({
      newestId: count.nullable(),
      newestAgeSeconds: seconds.openapi({
        description: 'since the block of the newest auction; null when that is long ago',
      }),
      openOrders: count.openapi({ description: 'orders in the newest auction' }),
      lastWinAgeSeconds: seconds.openapi({ description: 'since a winner was last told to settle' }),
      fillsLastHour: count.openapi({ description: 'trades, by the time of their blocks' }),
    }),
    indexer: z.object({
      block: count.nullable().openapi({ description: 'newest indexed block' }),
      head: count.nullable().openapi({ description: 'newest block of the node; null when the node does not answer' }),
      lagBlocks: count.nullable(),
      lagSeconds: seconds.openapi({ description: 'from the newest indexed block to the head' }),
      headAgeSeconds: seconds.openapi({ description: 'since the block at the head' }),
    }),
    notifications: z.object({
      oldestUndeliveredSeconds: seconds.openapi({ description: 'null when nothing waits' }),
    }),
    solvers: z
      .array(
        z.object({
          name: z.string().nullable().openapi({ description: 'null when it does not compete here any more' }),
          address: addressSchema,
          solutions: count,
          wins: count,
          attempts: count.openapi({ description: 'settlements it was told to make' }),
          successes: count,
          failures: count.openapi({ description: 'attempts that timed out, or that it gave up' }),
          lastSolutionAgeSeconds: seconds.openapi({
            description: 'since the newest auction that it had a valid solution for; null without one',
          }),
          fault: z.string().nullable().openapi({
            description:
              'why it cannot settle now: its account, its queue of settlements or its node; null when it can, and for drivers behind a URL',
          }),
          missedAuctions: count.openapi({
            description: 'auctions since then, of the last 24 hours, for which others had a solution',
          }),
          suspension: suspensionSchema.nullable().openapi({ description: 'null: it takes part without limits' }),
        }),
      )
      .openapi({ description: 'of the last 24 hours: those that compete here, and others that did something' }),
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
      .openapi({ description: 'the last 24 hours, oldest first; the last one is not over' }),
  })
  .openapi('NetworkStatus')

export type NetworkStatus = z.infer<typeof networkStatusSchema>

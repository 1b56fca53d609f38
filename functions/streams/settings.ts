import { z } from 'zod'
import type { SlotsNamespace } from '#shared/streams/openCountedStream.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkSchema } from '#shared/validation/network.ts'

/** The namespace of the Durable Object `EventFeed`. */
type Feeds = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

const count = z.coerce.number().int().positive()
const binding = <T>() => z.custom<T>((value) => value !== undefined, 'no binding')

/** What the streams Worker needs of its environment. */
export const settingsSchema = z.object({
  NETWORK: networkSchema,
  DATABASE_URL: databaseUrlSchema,
  FEEDS: binding<Feeds>(),
  SLOTS: binding<SlotsNamespace>(),
  /** feeds that share the topics of the network among them */
  EVENT_FEEDS: count.max(64).default(4),
  /** streams of order events that one client may have open at once, */
  ORDER_STREAMS_PER_CLIENT: count.default(50),
  /** and that one order or account may have in a feed, before clients get feeds of their own */
  ORDER_STREAMS_PER_TOPIC: count.default(2_000),
  /** after which a stream ends, and its client connects again */
  ORDER_STREAM_LIFETIME_MS: count.default(1_800_000),
  /** how often a feed looks at the log */
  EVENTS_POLL_MS: count.min(100).max(5_000).default(500),
})

export type Settings = z.infer<typeof settingsSchema>

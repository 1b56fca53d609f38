import { z } from 'zod'
import type { SlotsNamespace } from '#shared/streams/openCountedStream.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkSchema } from '#shared/validation/network.ts'

/** The namespace of the Durable Object `EventFeed`. */
type Feeds = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

const count = z.coerce.number().int().positive()
const binding = <T>() => z.custom<T>((value) => value !== undefined, 'no binding')

/** The environment of the streams Worker. */
export const settingsSchema = z.object({
  NETWORK: networkSchema,
  DATABASE_URL: databaseUrlSchema,
  FEEDS: binding<Feeds>(),
  SLOTS: binding<SlotsNamespace>(),
  /** feeds among which the topics of the network are distributed */
  EVENT_FEEDS: count.max(64).default(4),
  /** concurrent streams of order events of one client */
  ORDER_STREAMS_PER_CLIENT: count.default(50),
  /** concurrent streams of one order or account in a feed, before clients get feeds of their own */
  ORDER_STREAMS_PER_TOPIC: count.default(2_000),
  /** lifetime of a stream; clients reconnect after it */
  ORDER_STREAM_LIFETIME_MS: count.default(1_800_000),
  /** interval between polls of the log */
  EVENTS_POLL_MS: count.min(100).max(5_000).default(500),
})

export type Settings = z.infer<typeof settingsSchema>

import { z } from 'zod'
import { binding } from '#shared/settings/binding.ts'
import { DATABASE_URL, NETWORK } from '#shared/settings/connectionSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import type { SlotsNamespace } from '#shared/streams/openCountedStream.ts'

/** The namespace of the Durable Object `EventFeed`. */
type Feeds = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

const count = z.coerce.number().int().positive()

/** The environment of the streams Worker. */
export const settingsSchema = z.object({
  NETWORK,
  DATABASE_URL,
  FEEDS: binding<Feeds>(),
  SLOTS: binding<SlotsNamespace>(),
  EVENT_FEEDS: setting(count.max(64), {
    description: 'feeds among which the topics of the network are distributed, at most 64',
    scope: 'network',
    default: '4',
  }),
  ORDER_STREAMS_PER_CLIENT: setting(count, {
    description: 'concurrent streams of order events of one client',
    scope: 'network',
    default: '50',
  }),
  ORDER_STREAMS_PER_TOPIC: setting(count, {
    description: 'concurrent streams of one order or account in a feed, before clients get feeds of their own',
    scope: 'network',
    default: '2000',
  }),
  ORDER_STREAM_LIFETIME_MS: setting(count, {
    description: 'lifetime of a stream of order events; clients reconnect after it',
    scope: 'network',
    unit: 'ms',
    default: '1800000',
  }),
  EVENTS_POLL_MS: setting(count.min(100).max(5_000), {
    description: 'time between two reads of the event log, 100 to 5000',
    scope: 'network',
    unit: 'ms',
    default: '500',
  }),
})

export type Settings = z.infer<typeof settingsSchema>

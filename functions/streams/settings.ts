import { z } from 'zod'
import { binding } from '#shared/settings/binding.ts'
import { DATABASE_URL, NETWORK, RPC_URL } from '#shared/settings/connectionSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import type { SlotsNamespace } from '#shared/streams/openCountedStream.ts'

/** The namespace of the Durable Object `EventFeed`. */
type Feeds = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

/** The environment of the streams Worker. */
export const settingsSchema = z.object({
  NETWORK,
  DATABASE_URL,
  RPC_URL,
  FEEDS: binding<Feeds>(),
  SLOTS: binding<SlotsNamespace>(),
  ORDER_STREAMS_PER_CLIENT: setting(z.coerce.number().int().positive(), {
    description: 'concurrent streams of order events of one client, and as many WebSockets',
    scope: 'network',
    default: '50',
  }),
})

export type Settings = z.infer<typeof settingsSchema>

import { DurableObject } from 'cloudflare:workers'
import { connectDatabase } from '#schema/client.ts'
import { selectLogHorizon, selectNewOrderEvents } from '#schema/queries/events/newOrderEvents.ts'
import { type ReplayLimits, selectMissedOrderEvents } from '#schema/queries/events/selectMissedOrderEvents.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { openCountedStream } from '#shared/streams/openCountedStream.ts'
import { createEventFeed, type EventStreams as Feed, type FeedDeps } from './createEventFeed.ts'
import type { FeedRequest } from './openOrderStream.ts'
import { type Settings, settingsSchema } from './settings.ts'

/** Clients reconnect after the lifetime of a stream; beyond the streams of a topic, clients get feeds of their own. */
const limits: FeedDeps['limits'] = { streamsPerTopic: 2_000, lifetimeMs: 30 * 60_000, pollMs: 500 }
/** Maximum events per poll of the log. */
const maxNew = 500
/** Bounds of the replay to a reconnecting client; an event is about a kilobyte. */
const replayLimits: ReplayLimits = { events: 500, scanned: 20_000 }

/**
 * Serves a shard of the topics of one network: a single global object, so that all its listeners share one poll of the log. It
 * stores nothing; a reconnecting client sends its position.
 */
export class EventFeed extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(EventFeed)
  }

  readonly #life = crypto.randomUUID()
  #feed: Feed | undefined

  /** @returns the stream, or 429 with an `OrderStreamRefusal` */
  override async fetch(request: Request): Promise<Response> {
    const { feed: holder, topic, client, lastEventId } = await request.json<FeedRequest>()
    const settings = settingsSchema.parse(this.env)
    this.#feed ??= this.#open(settings)
    const feed = this.#feed
    return openCountedStream({
      slots: settings.SLOTS,
      client,
      slot: {
        holder,
        life: this.#life,
        until: Date.now() + 2 * limits.lifetimeMs,
        max: settings.ORDER_STREAMS_PER_CLIENT,
      },
      waitUntil: (work) => this.ctx.waitUntil(work),
      join: (leave) => feed.join({ topic, lastEventId, leave }),
    })
  }

  /** A restarted object has no listeners and does nothing. */
  override async alarm(): Promise<void> {
    if (this.#feed) this.ctx.waitUntil(this.#feed.tick())
  }

  #open(settings: Settings): Feed {
    const { chainId } = settings.NETWORK
    const { storage } = this.ctx
    const database = connectDatabase(settings.DATABASE_URL)
    return createEventFeed({
      limits,
      findHorizon: () => selectLogHorizon(database),
      findNew: (after) => selectNewOrderEvents(database, chainId, after, maxNew),
      findMissed: (topic, after) => selectMissedOrderEvents(database, chainId, topic, after, replayLimits),
      setAlarm: (at) => this.ctx.waitUntil(at === undefined ? storage.deleteAlarm() : storage.setAlarm(at)),
      now: Date.now,
      random: Math.random,
      log: logEntry,
    })
  }
}

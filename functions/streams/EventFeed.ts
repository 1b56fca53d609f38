import { DurableObject } from 'cloudflare:workers'
import { connectDatabase } from '#schema/client.ts'
import { selectLogHorizon, selectNewOrderEvents } from '#schema/queries/events/newOrderEvents.ts'
import { type ReplayLimits, selectMissedOrderEvents } from '#schema/queries/events/selectMissedOrderEvents.ts'
import { selectTopicSnapshot } from '#schema/queries/events/selectTopicSnapshot.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { openCountedStream } from '#shared/streams/openCountedStream.ts'
import { createEventFeed, type EventStreams as Feed, type FeedDeps } from './createEventFeed.ts'
import type { FeedRequest } from './openOrderStream.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { type SocketRefusal, socketClientHeader } from './sockets/openSocket.ts'
import { clientPing, serverPong } from './sockets/socketLimits.ts'

/** Clients reconnect after the lifetime of a stream; beyond the streams of a topic, clients get feeds of their own. */
const limits: FeedDeps['limits'] = { streamsPerTopic: 2_000, lifetimeMs: 30 * 60_000, pollMs: 500 }
/** Maximum events per poll of the log. */
const maxNew = 500
/** Bounds of the replay to a reconnecting client; an event is about a kilobyte. */
const replayLimits: ReplayLimits = { events: 500, scanned: 20_000 }
/** Bounds of a snapshot, beside the history of an order. */
const snapshotLimits: ReplayLimits = { events: 100, scanned: 2_000 }
/** Beyond these, clients get feeds of their own. */
const socketsPerFeed = 2_000

/**
 * Serves a shard of the topics of one network by streams, and a shard of its clients by WebSockets: a single global object, so
 * that all its listeners share one poll of the log. It stores nothing; a reconnecting client sends its position. Its memory may
 * be lost while WebSockets stay open: they are restored with the next message or alarm.
 */
export class EventFeed extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(EventFeed)
  }

  readonly #life = crypto.randomUUID()
  #feed: Feed | undefined

  /** @returns the stream or the WebSocket, or 429 with an `OrderStreamRefusal` or a `SocketRefusal` */
  override async fetch(request: Request): Promise<Response> {
    const client = request.headers.get(socketClientHeader)
    return client === null ? this.#openStream(await request.json<FeedRequest>()) : this.#openSocket(client)
  }

  override async alarm(): Promise<void> {
    // a restarted object without WebSockets has no listeners
    if (this.#feed || this.ctx.getWebSockets().length > 0) this.ctx.waitUntil(this.#find().tick())
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#find().sockets.receive(socket, message)
  }

  override webSocketClose(socket: WebSocket): void {
    this.#feed?.sockets.leave(socket)
  }

  override webSocketError(socket: WebSocket): void {
    this.#feed?.sockets.leave(socket)
  }

  #openStream({ feed: holder, topic, client, lastEventId }: FeedRequest): Promise<Response> {
    const settings = settingsSchema.parse(this.env)
    const feed = this.#find()
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
      join: (leave) => feed.join({ topic, client, lastEventId, leave }),
    })
  }

  #openSocket(client: string): Response {
    const { ORDER_STREAMS_PER_CLIENT: max } = settingsSchema.parse(this.env)
    const { ctx } = this
    const refuse = (refusal: SocketRefusal) => Response.json(refusal, { status: 429 })
    if (ctx.getWebSockets(client).length >= max) return refuse({ limit: 'socketsPerClient', max })
    if (ctx.getWebSockets().length >= socketsPerFeed) return refuse({ limit: 'socketsPerFeed', max: socketsPerFeed })
    const feed = this.#find()
    const { 0: webSocket, 1: socket } = new WebSocketPair()
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(clientPing, serverPong))
    ctx.acceptWebSocket(socket, [client])
    feed.sockets.accept(socket, client)
    return new Response(null, { status: 101, webSocket })
  }

  #find(): Feed {
    if (!this.#feed) {
      this.#feed = this.#open(settingsSchema.parse(this.env))
      this.#feed.sockets.restore(this.ctx.getWebSockets())
    }
    return this.#feed
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
      findSnapshot: (topic) => selectTopicSnapshot(database, chainId, topic, snapshotLimits),
      setAlarm: (at) => this.ctx.waitUntil(at === undefined ? storage.deleteAlarm() : storage.setAlarm(at)),
      now: Date.now,
      random: Math.random,
      log: logEntry,
    })
  }
}

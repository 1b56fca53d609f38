import { DurableObject } from 'cloudflare:workers'
import { connectDatabase } from '#schema/client.ts'
import { selectAuctionPrices } from '#schema/queries/auctions/selectAuctionPrices.ts'
import { selectLogHorizon, selectNewOrderEvents } from '#schema/queries/events/newOrderEvents.ts'
import { type ReplayLimits, selectMissedOrderEvents } from '#schema/queries/events/selectMissedOrderEvents.ts'
import { selectTopicSnapshot } from '#schema/queries/events/selectTopicSnapshot.ts'
import { selectOpenTokens } from '#schema/queries/orders/openTokens.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { quotaHeader, readQuota } from '#shared/http/quota.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { computePollMs } from '#shared/streams/computePollMs.ts'
import { openCountedStream } from '#shared/streams/openCountedStream.ts'
import { createEventFeed, type EventStreams as Feed, type FeedDeps } from './createEventFeed.ts'
import type { FeedRequest } from './openOrderStream.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { findHoldings } from './sockets/findHoldings.ts'
import { findSocketRefusal } from './sockets/findSocketRefusal.ts'
import { socketHeaders } from './sockets/openSocket.ts'
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
/** Stored once a feed was full: its clients may have WebSockets at feeds of their own. */
const wasFull = 'wasFull'

/**
 * Serves a shard of the topics of one network by streams, and a shard of its clients by WebSockets: a single global object, so
 * that all its listeners share one poll of the log. A reconnecting client sends its position. Its memory may
 * be lost while WebSockets stay open: they are restored with the next message or alarm. It stores whether it was ever full.
 */
export class EventFeed extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(EventFeed)
  }

  readonly #life = crypto.randomUUID()
  #feed: Feed | undefined

  /**
   * @returns the stream, the WebSocket or, to another feed, the number of a client's WebSockets; or 429 with an
   * `OrderStreamRefusal` or a `SocketRefusal`
   */
  override async fetch(request: Request): Promise<Response> {
    const client = request.headers.get(socketHeaders.client)
    if (client === null) return this.#openStream(await request.json<FeedRequest>())
    if (request.method === 'POST') return Response.json(this.ctx.getWebSockets(client).length)
    return this.#openSocket(client, request.headers)
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

  async #openSocket(client: string, headers: Headers): Promise<Response> {
    const { ctx } = this
    const own = headers.get(socketHeaders.own)
    const elsewhere = own === null ? Number(headers.get(socketHeaders.shared)) : await this.#countAt(own, client)
    // no wait from here on, so that requests at the same time count each other
    const refusal = findSocketRefusal({
      ...{ held: ctx.getWebSockets(client).length, elsewhere, all: ctx.getWebSockets().length },
      ...{ maxPerClient: settingsSchema.parse(this.env).ORDER_STREAMS_PER_CLIENT, maxPerFeed: socketsPerFeed },
    })
    if (refusal?.limit === 'socketsPerFeed') ctx.storage.kv.put(wasFull, true)
    if (refusal) return Response.json(refusal, { status: 429 })
    const feed = this.#find()
    const { 0: webSocket, 1: socket } = new WebSocketPair()
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(clientPing, serverPong))
    ctx.acceptWebSocket(socket, [client])
    feed.sockets.accept(socket, client, readQuota(headers.get(quotaHeader)))
    return new Response(null, { status: 101, webSocket })
  }

  /** WebSockets of a client at its own feed: none while this one was never full. */
  async #countAt(own: string, client: string): Promise<number> {
    if (!this.ctx.storage.kv.get(wasFull)) return 0
    const request = new Request('http://feed/', { method: 'POST', headers: { [socketHeaders.client]: client } })
    return (await settingsSchema.parse(this.env).FEEDS.getByName(own).fetch(request)).json<number>()
  }

  #find(): Feed {
    if (!this.#feed) {
      this.#feed = this.#open(settingsSchema.parse(this.env))
      this.#feed.sockets.restore(this.ctx.getWebSockets())
    }
    return this.#feed
  }

  #open(settings: Settings): Feed {
    const { NETWORK: network, RPC_URL } = settings
    const { chainId } = network
    const connect = () => connectChain(RPC_URL, chainId)
    const { storage } = this.ctx
    const database = connectDatabase(settings.DATABASE_URL)
    return createEventFeed({
      limits,
      findHorizon: () => selectLogHorizon(database),
      findNew: (after) => selectNewOrderEvents(database, chainId, after, maxNew),
      findMissed: (topic, after) => selectMissedOrderEvents(database, chainId, topic, after, replayLimits),
      findPrices: (known) => selectAuctionPrices(database, chainId, known),
      balances: {
        findHead: () => connect().getBlockNumber(),
        findHoldings: (tokens, block) => findHoldings(connect(), network, tokens, block),
        findOpenTokens: (accounts) => selectOpenTokens(database, chainId, accounts),
        pollMs: computePollMs(network),
      },
      findSnapshot: (topic) => selectTopicSnapshot(database, chainId, topic, snapshotLimits),
      setAlarm: (at) => this.ctx.waitUntil(at === undefined ? storage.deleteAlarm() : storage.setAlarm(at)),
      now: Date.now,
      random: Math.random,
      log: logEntry,
    })
  }
}

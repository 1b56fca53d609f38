import { DurableObject } from 'cloudflare:workers'
import type { Address } from 'viem'
import { connectChain } from '#shared/chain/connectChain.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { logEntry } from '#shared/logging/logEntry.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { computePollMs } from '#shared/streams/computePollMs.ts'
import { openCountedStream } from '#shared/streams/openCountedStream.ts'
import { type Settings, settingsSchema } from '../settings.ts'
import { createBalanceWatch, type BalanceStreams as Watch } from './createBalanceWatch.ts'
import { findAccountBalances } from './findAccountBalances.ts'
import type { WatchRequest } from './openBalanceStream.ts'

/**
 * Watches one account of one network: a single global object, so that all listeners share its reads of the chain. Clients that
 * find it full get an object of their own. Its state is in memory only: clients of a restarted object get everything again.
 */
export class BalanceWatch extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(BalanceWatch)
  }

  readonly #life = crypto.randomUUID()
  #watch: Watch | undefined

  /** @returns the stream, or 429 with a `BalanceStreamRefusal` */
  override async fetch(request: Request): Promise<Response> {
    const { watch: holder, network, account, client, tokens, lastEventId } = await request.json<WatchRequest>()
    const settings = settingsSchema.parse(this.env)
    this.#watch ??= this.#open(settings, network, account)
    const watch = this.#watch
    return openCountedStream({
      slots: settings.SLOTS,
      client,
      slot: {
        holder,
        life: this.#life,
        until: Date.now() + 2 * settings.STREAM_LIFETIME_MS,
        max: settings.STREAMS_PER_CLIENT,
      },
      waitUntil: (work) => this.ctx.waitUntil(work),
      join: (leave) => watch.join({ tokens, lastEventId, leave }),
    })
  }

  /** A restarted object has no listeners and does nothing. */
  override async alarm(): Promise<void> {
    if (this.#watch) this.ctx.waitUntil(this.#watch.tick())
  }

  #open(settings: Settings, name: NetworkName, address: Address): Watch {
    const network = networks[name]
    const connect = () => connectChain(settings.RPC_URLS.get(name) ?? '', network.chainId)
    const { storage } = this.ctx
    return createBalanceWatch({
      account: { chainId: network.chainId, address },
      limits: {
        streamsPerAccount: settings.STREAMS_PER_ACCOUNT,
        tokensPerAccount: settings.TOKENS_PER_ACCOUNT,
        lifetimeMs: settings.STREAM_LIFETIME_MS,
        pollMs: settings.BALANCES_POLL_MS ?? computePollMs(network),
      },
      findHead: () => connect().getBlockNumber(),
      findBalances: (tokens, options) => findAccountBalances(connect(), { network, address }, tokens, options),
      setAlarm: (at) => this.ctx.waitUntil(at === undefined ? storage.deleteAlarm() : storage.setAlarm(at)),
      now: Date.now,
      random: Math.random,
      log: logEntry,
    })
  }
}

import { DurableObject } from 'cloudflare:workers'
import type { Address } from 'viem'
import { connectChain } from '#shared/chain/connectChain.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { computePollMs } from './computePollMs.ts'
import { createBalanceWatch, type BalanceWatch as Watch } from './createBalanceWatch.ts'
import { findBalances } from './findBalances.ts'
import type { StreamRefusal } from './getBalanceStream.ts'
import type { WatchRequest } from './openBalanceStream.ts'
import { type Settings, settingsSchema } from './settings.ts'

/**
 * One account of one network: one object in the world, so that all who listen to it share its look at the chain. All that it
 * knows is in memory; a client of an object that was started anew is told everything again.
 */
export class BalanceWatch extends DurableObject<Record<string, unknown>> {
  readonly #life = crypto.randomUUID()
  #watch: Watch | undefined

  /** @returns the stream, or 429 with a `StreamRefusal` */
  override async fetch(request: Request): Promise<Response> {
    const { network, account, client, tokens, lastEventId } = await request.json<WatchRequest>()
    const settings = settingsSchema.parse(this.env)
    const slots = settings.SLOTS.getByName(client)
    const slot = crypto.randomUUID()
    const max = settings.STREAMS_PER_CLIENT
    const until = Date.now() + 2 * settings.STREAM_LIFETIME_MS
    const holder = `${network}:${account}`
    if (!(await slots.take(slot, { holder, life: this.#life, until, max })))
      return refuse({ limit: 'streamsPerClient', max })
    const leave = () => {
      this.ctx.waitUntil(slots.free(slot).catch(logError))
    }
    this.#watch ??= this.#open(settings, network, account)
    const joined = this.#watch.join({ tokens, lastEventId, leave })
    if (joined instanceof ReadableStream) return new Response(joined)
    leave()
    return refuse(joined)
  }

  /** After a restart nobody listens, and nothing goes on. */
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
      findBalances: (tokens, options) => findBalances(connect(), { network, address }, tokens, options),
      setAlarm: (at) => this.ctx.waitUntil(at === undefined ? storage.deleteAlarm() : storage.setAlarm(at)),
      now: Date.now,
      random: Math.random,
      log,
    })
  }
}

const refuse = (refusal: StreamRefusal) => Response.json(refusal, { status: 429 })

const log = (entry: JsonObject): void => console.error(JSON.stringify(entry))

const logError = (error: unknown): void =>
  log({ message: 'a stream of a client is not given back', cause: describeError(error) })

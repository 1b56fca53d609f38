import { DurableObject } from 'cloudflare:workers'
import type { Address } from 'viem'
import { armAlarm } from '#shared/armAlarm.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { connectNetworks, findServed } from '#shared/chain/connectNetworks.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { describeError } from '#shared/http/describeError.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { findTokenDetails } from '#shared/tokens/findTokenDetails.ts'
import { type Settings, settingsSchema } from '../settings.ts'
import { advanceHolders } from './advanceHolders.ts'
import { cacheHolders } from './cacheHolders.ts'
import { computeNextRun, maxPauseMs, type RunResult } from './computeNextRun.ts'
import { connectHolderSources } from './connectHolderSources.ts'
import { findTopHolders, type TopHolders } from './findTopHolders.ts'
import { maxHolders } from './holderSource.ts'
import { type HolderStore, openHolderStore } from './holderStore.ts'
import { ownHolders } from './ownHolders.ts'

/** The token of the object, and the time of its last request (Unix milliseconds). */
type LastRequest = { network: NetworkName; token: Address; at: number }

/** Maximum duration of one index update. */
const runMs = 4_000
/** Minimum interval between writes of the last request time. */
const noteMs = 60_000
/** Block span of the first log query. */
const firstSpan = 2_000

/**
 * The holders of one token of one network: a single global object, so that a burst of requests queries the sources
 * once. For tokens of `HOLDER_TOKENS` it maintains an index, which its alarm updates as long as there are
 * requests.
 */
export class HolderBook extends DurableObject<Record<string, unknown>> {
  static {
    limitObjects(HolderBook)
  }

  readonly #span = { blocks: firstSpan }
  #settings: Settings | undefined
  #store: HolderStore | undefined
  #findHolders: (() => Promise<TopHolders>) | undefined
  #advance: Promise<boolean> | undefined
  #lastRequest: LastRequest | undefined

  /** @param token in lower case; the pair is the object's name, so it is the same in every call */
  async findHolders(network: NetworkName, token: Address): Promise<TopHolders> {
    if (this.#isIndexed(network, token)) await this.#follow(network, token)
    this.#findHolders ??= this.#open(network, token)
    return this.#findHolders()
  }

  override async alarm(): Promise<void> {
    const lastRequest = await this.ctx.storage.get<LastRequest>('asked')
    if (!lastRequest || !this.#isIndexed(lastRequest.network, lastRequest.token)) return
    // armed before the work, so that a failure does not end the updates
    if (!(await this.#runAgain('failed', lastRequest.at))) return
    try {
      const isComplete = await this.#advanceIndex(lastRequest.network, lastRequest.token)
      await this.#runAgain(isComplete ? 'complete' : 'partial', lastRequest.at)
    } catch (error) {
      console.error(
        JSON.stringify({ message: 'holder index update failed', ...lastRequest, cause: describeError(error) }),
      )
    }
  }

  async #runAgain(result: RunResult, requestedAt: number): Promise<boolean> {
    const next = computeNextRun(result, requestedAt, Date.now())
    if (next === undefined) return false
    await this.ctx.storage.setAlarm(next)
    return true
  }

  #open(network: NetworkName, token: Address): () => Promise<TopHolders> {
    const settings = this.#readSettings()
    const onNetwork = connectNetworks(settings.RPC_URLS)
    const advance = () => this.#advanceIndex(network, token)
    const own = this.#isIndexed(network, token) ? [ownHolders({ store: this.#openStore(), advance })] : []
    const deps = {
      sources: [...own, ...connectHolderSources(settings)],
      isToken: () =>
        onNetwork(networks[network], async (chain) => {
          const [details] = await findTokenDetails(chain, networks[network], [token])
          return details !== undefined
        }).catch(() => undefined),
    }
    return cacheHolders(() => findTopHolders(deps, networks[network], token), Date.now)
  }

  /** Concurrent requests and alarms share one update. */
  #advanceIndex(network: NetworkName, token: Address): Promise<boolean> {
    const { RPC_URLS, HOLDER_TOKENS } = this.#readSettings()
    const index = {
      chain: connectChain(findServed(RPC_URLS, networks[network]), networks[network].chainId),
      store: this.#openStore(),
      token,
      startBlock: HOLDER_TOKENS.get(network)?.get(token) ?? 0,
      shown: maxHolders,
      span: this.#span,
      now: Date.now,
    }
    this.#advance ??= advanceHolders(index, Date.now() + runMs).finally(() => {
      this.#advance = undefined
    })
    return this.#advance
  }

  async #follow(network: NetworkName, token: Address): Promise<void> {
    this.#lastRequest ??= await this.ctx.storage.get<LastRequest>('asked')
    if (this.#lastRequest && this.#lastRequest.at > Date.now() - noteMs) return
    this.#lastRequest = { network, token, at: Date.now() }
    await this.ctx.storage.put('asked', this.#lastRequest)
    await armAlarm(this.ctx.storage, Date.now(), maxPauseMs, Date.now() + runMs)
  }

  #isIndexed = (network: NetworkName, token: Address): boolean =>
    this.#readSettings().HOLDER_TOKENS.get(network)?.has(token) === true

  #readSettings(): Settings {
    this.#settings ??= settingsSchema.parse(this.env)
    return this.#settings
  }

  #openStore(): HolderStore {
    this.#store ??= openHolderStore(this.ctx.storage.sql)
    return this.#store
  }
}

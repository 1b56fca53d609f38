import { DurableObject } from 'cloudflare:workers'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { armAlarm } from '#shared/armAlarm.ts'
import { limitObjects } from '#shared/connections/connectionLimit.ts'
import { describeError } from '#shared/http/describeError.ts'
import type { SettleRequest, SolutionId } from '#shared/solvers/driverApi.ts'
import { connectEngine } from '../engine/connectEngine.ts'
import type { EngineNotice } from '../engine/engineApi.ts'
import type { ReadAt } from '../pools/readAt.ts'
import { createBroadcastMemory } from '../sending/broadcast.ts'
import { connectSender } from '../sending/connectSender.ts'
import { type Settings, settingsSchema } from '../settings.ts'
import { repriceSettlement } from '../solutions/repriceSettlement.ts'
import { advanceSubmissions } from './advanceSubmissions.ts'
import { openEngineFates, toFateNotice } from './engineFates.ts'
import { describeStuckQueue, openQueueProgress, type QueueProgress } from './queueProgress.ts'
import { createRetries } from './retries.ts'
import { openSettlementStore, type SettlementStore } from './settlementStore.ts'
import type { SettlementCall, SettlementFate, SettlementOutcome, Submission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

type Revert = Parameters<SubmissionDeps['onRevert']>[0]

const minPollMs = 100
const maxPollMs = 2_000
const minWatchMs = 1_000
/** time limit of one alarm (the platform allows fifteen minutes); longer work continues in the next */
const maxRunMs = 10 * 60_000

/**
 * The only sender of transactions with a solver's key. It stores proposed solutions and settles winning ones in
 * sequence. Requests wait for the outcome, but the alarm does the work: it continues without a waiting request and
 * after a restart.
 */
export class SettlementQueue extends DurableObject {
  static {
    limitObjects(SettlementQueue)
  }

  readonly #settings: Settings
  readonly #account: PrivateKeyAccount
  readonly #store: SettlementStore
  readonly #progress: QueueProgress
  readonly #fates: ReturnType<typeof openEngineFates>
  readonly #memory = createBroadcastMemory()
  readonly #retries = createRetries()
  readonly #waiting = new Map<number, PromiseWithResolvers<SettlementOutcome>>()
  #wake = Promise.withResolvers<void>()

  constructor(ctx: DurableObjectState, env: Record<string, unknown>) {
    super(ctx, env)
    this.#settings = settingsSchema.parse(env)
    this.#account = privateKeyToAccount(this.#settings.SOLVER_PRIVATE_KEY)
    this.#store = openSettlementStore(ctx.storage.sql)
    this.#progress = openQueueProgress(ctx.storage.sql)
    this.#fates = openEngineFates(ctx.storage.sql)
    if (this.#hasWork()) ctx.waitUntil(ctx.storage.setAlarm(Date.now()))
  }

  /**
   * Why the queue counts as stuck; null when it does not. The request starts the object, which resumes work interrupted
   * by a restart.
   */
  findFault(): string | null {
    this.#noteProgress()
    return describeStuckQueue(this.#progress.read(), Date.now(), this.#settings.NETWORK.blockTimeSeconds) ?? null
  }

  /** Whether transactions of the account are in flight. */
  isSettling(): boolean {
    return this.#store.isSettling()
  }

  /** Stores the settlements of new solutions. @returns one id for each */
  remember(auctionId: string, settlements: SettlementCall[]): number[] {
    const ids = this.#store.insert(auctionId, settlements)
    for (const [i, { engineId }] of settlements.entries())
      if (engineId !== undefined) this.#fates.insert(auctionId, ids[i] ?? 0, engineId)
    return ids
  }

  /** The id by which the engine knows a solution; null for solutions of the Worker itself, and for old ones. */
  findEngineId(solutionId: number): SolutionId | null {
    return this.#fates.find(solutionId)?.engineId ?? null
  }

  /** @returns calldata, or null when the solution is unknown or deleted */
  reveal(auctionId: string, solutionId: number): Hex | null {
    return this.#store.find(auctionId, solutionId)?.calldata ?? null
  }

  /**
   * Settles a solution and waits for its outcome. Idempotent: a repeated call returns the same outcome.
   * @returns null when the solution is unknown or deleted
   */
  async settle({
    auctionId,
    solutionId,
    submissionDeadlineLatestBlock,
  }: SettleRequest): Promise<SettlementOutcome | null> {
    const submission = this.#store.find(auctionId, solutionId)
    if (!submission) return null
    if (submission.outcome) return submission.outcome
    this.#store.queue(solutionId, submissionDeadlineLatestBlock)
    if (submission.state === 'proposed') this.#notifyEngine(solutionId, { kind: 'settlementStarted' })
    const waiting = this.#waiting.get(solutionId) ?? Promise.withResolvers<SettlementOutcome>()
    this.#waiting.set(solutionId, waiting)
    await this.ctx.storage.setAlarm(Date.now())
    this.#wake.resolve()
    return waiting.promise
  }

  override async alarm(): Promise<void> {
    const { RPC_URL, NETWORK, SOLVER_STRATEGY: strategy, factory, baseTokens, tolerance } = this.#settings
    const client = connectSender(RPC_URL, NETWORK.chainId, this.#account, this.#settings.SUBMISSION_URLS)
    const routing = { network: NETWORK, strategy, factory, baseTokens, tolerance }
    const deps = {
      store: this.#store,
      client,
      chainId: NETWORK.chainId,
      blockTimeSeconds: NETWORK.blockTimeSeconds,
      settlementContract: NETWORK.settlementContract,
      account: this.#account,
      memory: this.#memory,
      retries: this.#retries,
      bumpBlocks: 2,
      cancellationFeeMultiple: 4n,
      reprice: ({ auctionId, draft }: Submission, at: ReadAt) =>
        draft ? repriceSettlement(client, routing, { auctionId, draft }, at) : Promise.resolve(undefined),
      onOutcome: (solutionId: number, outcome: SettlementOutcome) => this.#resolveOutcome(solutionId, outcome),
      onFate: (solutionId: number, fate: SettlementFate | undefined) =>
        this.#notifyEngine(solutionId, toFateNotice(fate)),
      onRevert: ({ hash, gasUsed, wei }: Revert) => {
        const reverts = this.#progress.countRevert()
        const cost = { gasUsed: Number(gasUsed), wei: String(wei) }
        console.warn(JSON.stringify({ message: 'settlement reverted', hash, ...cost, reverts }))
      },
      onHindrance: (reason: string) => this.#progress.hinder(reason),
    }
    const until = Date.now() + maxRunMs
    let pollMs = minPollMs
    try {
      while (await this.#advance(deps)) {
        if (Date.now() > until) return await this.ctx.storage.setAlarm(Date.now())
        pollMs = (await this.#sleep(pollMs)) ? minPollMs : Math.min(2 * pollMs, maxPollMs)
      }
      if (!this.#hasWork()) return
      const watchMs = Math.max(minWatchMs, 1_000 * NETWORK.blockTimeSeconds)
      // a settle request may have set an earlier one
      await armAlarm(this.ctx.storage, Date.now(), watchMs, Date.now() + watchMs)
    } catch (error) {
      const cause = describeError(error)
      this.#progress.hinder(cause)
      console.error(JSON.stringify({ message: 'settlement queue is stuck', cause }))
      await this.ctx.storage.setAlarm(Date.now() + maxPollMs)
    } finally {
      this.#memory.broadcastAt.clear()
    }
  }

  async #advance(deps: SubmissionDeps): Promise<boolean> {
    this.#noteProgress()
    const isUnderWay = await advanceSubmissions(deps)
    this.#noteProgress()
    return isUnderWay
  }

  #noteProgress(): void {
    this.#progress.note(this.#store.findFirstUnfinished(), Date.now())
  }

  #hasWork(): boolean {
    return this.#store.hasWork()
  }

  #resolveOutcome(solutionId: number, outcome: SettlementOutcome): void {
    console.log(JSON.stringify({ message: 'settlement', solutionId, ...outcome }))
    this.#waiting.get(solutionId)?.resolve(outcome)
    this.#waiting.delete(solutionId)
  }

  #notifyEngine(solutionId: number, notice: EngineNotice): void {
    const { SOLVER_ENGINE_URL: url, SOLVER_NAME: name } = this.#settings
    const fate = url ? this.#fates.find(solutionId) : undefined
    if (!url || !fate) return
    const engine = connectEngine(name, this.#account.address, url)
    this.ctx.waitUntil(engine.notify(fate.auctionId, fate.engineId, notice))
  }

  /** @returns true when woken before the time has passed */
  async #sleep(milliseconds: number): Promise<boolean> {
    this.#wake = Promise.withResolvers<void>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const over = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds)
    })
    const woken = await Promise.race([this.#wake.promise.then(() => true), over])
    clearTimeout(timer)
    return woken
  }
}

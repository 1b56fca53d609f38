import { DurableObject } from 'cloudflare:workers'
import type { QueuePlan } from '../../workerd/workerdPlans.ts'
import type { PlatformEnv } from './platformEnv.ts'

/** A stored message. */
type Row = { id: number; body: string; attempts: number; created: number }
type Failure = { msgId: string; delaySeconds?: number }
/** Response of a consumer, as workerd reports it. */
type Outcome = {
  outcome: string
  ackAll: boolean
  retryBatch: { retry: boolean; delaySeconds?: number }
  explicitAcks: string[]
  retryMessages: Failure[]
}
type Consumer = { queue: (name: string, messages: object[]) => Promise<Outcome> }

/** Batches with a consumer at the same time, so that slow targets of a few messages delay no others. */
const maxBatches = 8
/** A full queue refuses messages; the producer's database has them still. */
const maxMessages = 100_000
/** After an interruption, such as a kill, messages are delivered again after this time. */
const resumeMs = 5_000

/**
 * One queue, with its messages on disk: each is delivered at least once. A message leaves when its consumer has taken
 * it; what a consumer fails on too often moves to the dead letter queue.
 */
export class Queue extends DurableObject<PlatformEnv> {
  /** messages that a consumer has now */
  readonly #inFlight = new Set<number>()
  #batches = 0
  readonly #name: string
  readonly #plan: QueuePlan
  readonly #sql: SqlStorage

  constructor(state: DurableObjectState, env: PlatformEnv) {
    super(state, env)
    this.#sql = state.storage.sql
    this.#name = state.id.name ?? ''
    this.#plan = env.PLAN.queues[this.#name] ?? { batchSize: 1, waitSeconds: 0, retries: 0, delaySeconds: 0 }
    this.#sql.exec(
      `create table if not exists messages (id integer primary key autoincrement, body text not null,
        attempts integer not null default 0, created integer not null, due integer not null);
      create index if not exists messages_due on messages (due)`,
    )
  }

  /** Stores messages; they are on disk once this resolves. */
  async add(bodies: readonly string[]): Promise<void> {
    if (this.#count() + bodies.length > maxMessages) throw new Error(`the queue ${this.#name} is full`)
    const now = Date.now()
    const isFull = this.#count() + bodies.length >= this.#plan.batchSize
    const due = isFull ? now : now + this.#plan.waitSeconds * 1_000
    for (const body of bodies)
      this.#sql.exec('insert into messages (body, created, due) values (?, ?, ?)', body, now, due)
    await this.resume()
  }

  override async alarm(): Promise<void> {
    await this.resume()
  }

  /** Delivers what is due, and sets the alarm for the rest. */
  async resume(): Promise<void> {
    for (;;) {
      const rows = this.#batches < maxBatches && this.#plan.consumer ? this.#takeDue() : []
      if (rows.length === 0) break
      this.#batches++
      for (const { id } of rows) this.#inFlight.add(id)
      this.ctx.waitUntil(this.#deliver(rows))
    }
    const [first] = this.#sql.exec<{ due: number | null }>('select min(due) as due from messages').toArray()
    if (typeof first?.due !== 'number') return
    const earliest = Date.now() + (this.#inFlight.size > 0 ? resumeMs : 0)
    await this.ctx.storage.setAlarm(Math.max(first.due, earliest))
  }

  async #deliver(rows: readonly Row[]): Promise<void> {
    const failed = await this.#send(rows)
    this.#batches--
    const now = Date.now()
    for (const { id, body, attempts } of rows) {
      this.#inFlight.delete(id)
      const failure = failed.get(String(id))
      if (failure && attempts < this.#plan.retries) {
        const delayMs = (failure.delaySeconds ?? this.#plan.delaySeconds) * 1_000
        this.#sql.exec('update messages set attempts = attempts + 1, due = ? where id = ?', now + delayMs, id)
        continue
      }
      // first there, then gone here: a kill in between repeats the message
      if (failure && this.#plan.deadLetters) await this.env.QUEUES.getByName(this.#plan.deadLetters).add([body])
      this.#sql.exec('delete from messages where id = ?', id)
    }
    await this.resume()
  }

  /** @returns the messages that failed, by id */
  async #send(rows: readonly Row[]): Promise<ReadonlyMap<string, Failure>> {
    const messages = rows.map(({ id, body, attempts, created }) => ({
      id: String(id),
      timestamp: new Date(created),
      body: JSON.parse(body),
      attempts: attempts + 1,
    }))
    const fail = (some: typeof messages, delaySeconds?: number) =>
      new Map(some.map(({ id }): [string, Failure] => [id, { msgId: id, ...(delaySeconds ? { delaySeconds } : {}) }]))
    try {
      const consumer = this.env[this.#plan.consumer ?? ''] as Consumer
      const { outcome, explicitAcks, retryBatch, retryMessages } = await consumer.queue(this.#name, messages)
      const open = messages.filter(({ id }) => !explicitAcks.includes(id))
      if (outcome !== 'ok') return fail(open)
      if (retryBatch.retry) return fail(open, retryBatch.delaySeconds)
      return new Map(retryMessages.map((failure) => [failure.msgId, failure]))
    } catch (error) {
      console.error(JSON.stringify({ message: 'queue consumer failed', queue: this.#name, cause: String(error) }))
      return fail(messages)
    }
  }

  #takeDue(): Row[] {
    const limit = this.#plan.batchSize + this.#inFlight.size
    const rows = this.#sql
      .exec<Row>(
        'select id, body, attempts, created from messages where due <= ? order by due, id limit ?',
        Date.now(),
        limit,
      )
      .toArray()
    return rows.filter(({ id }) => !this.#inFlight.has(id)).slice(0, this.#plan.batchSize)
  }

  #count(): number {
    return this.#sql.exec<{ count: number }>('select count(*) as count from messages').one().count
  }
}

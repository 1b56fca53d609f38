import type { Process, Processes } from './processes.ts'

/** A message of a batch, as a consumer receives it. */
type Message = { body: unknown; ack: () => void; retry: () => void }

type Queued = { body: unknown; attempts: number }

export type QueueTerms = {
  name: string
  processes: Processes
  /** process of the consumer; another one after its death, the dead one in an outage */
  process: () => Process
  latency: () => number
  /** from 0 to 1 */
  random: () => number
  /** part of the batches that the queue does not accept */
  failures: () => number
  consume: (batch: { queue: string; messages: Message[] }) => Promise<void>
  onError: (where: string, error: unknown) => void
  /** receives messages after the last retry */
  deadLetters?: { accept: (bodies: readonly unknown[]) => void }
}

/** The consumer's settings, as in functions/notifier/wrangler.toml. */
const batchSize = 25
const maxRetries = 5
const retryDelayMs = 10_000
/** part of the messages that arrive twice: the platform promises at least once */
const repeatedPart = 0.02

/**
 * A queue of the platform: messages survive every process, arrive at least once and in any order. A batch whose
 * consumer dies arrives again; of one whose consumer fails, the messages that it did not acknowledge.
 */
export const createMessageQueue = (terms: QueueTerms) => {
  const { processes, latency, random } = terms
  const waiting: Queued[] = []

  const accept = (messages: readonly Queued[], delayMs: number): void => {
    if (messages.length === 0) return
    processes.later(undefined, delayMs + latency(), () => {
      waiting.push(...messages)
      deliver()
    })
  }
  /** Batches run at once, as the platform adds consumers. */
  const deliver = (): void => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchSize)
      processes.later(undefined, latency(), () => void consume(batch, terms.process()))
    }
  }
  const consume = async (batch: readonly Queued[], process: Process): Promise<void> => {
    if (!process.isAlive) return accept(batch, retryDelayMs)
    const open = new Set(batch)
    const asked = new Set<Queued>()
    let isOver = false
    const end = (again: Iterable<Queued>) => {
      if (isOver) return
      isOver = true
      process.onDeath.delete(die)
      const failed = [...again].map(({ body, attempts }) => ({ body, attempts: attempts + 1 }))
      accept(
        failed.filter(({ attempts }) => attempts <= maxRetries),
        retryDelayMs,
      )
      terms.deadLetters?.accept(failed.flatMap(({ body, attempts }) => (attempts > maxRetries ? [body] : [])))
    }
    const die = () => end(batch)
    process.onDeath.add(die)
    const messages = batch.map((queued) => ({
      body: structuredClone(queued.body),
      ack: () => void open.delete(queued),
      retry: () => void asked.add(queued),
    }))
    return processes.run(process, async () => {
      try {
        await terms.consume({ queue: terms.name, messages })
        // what the consumer left open counts as done
        end(asked)
      } catch (error) {
        terms.onError(`queue ${terms.name}`, error)
        end(open)
      }
    })
  }
  const toMessages = (bodies: readonly unknown[]): Queued[] =>
    bodies.flatMap((body) =>
      Array.from({ length: random() < repeatedPart ? 2 : 1 }, () => ({ body: structuredClone(body), attempts: 0 })),
    )

  return {
    accept: (bodies: readonly unknown[]): void => accept(toMessages(bodies), 0),
    /** The producer's binding. */
    sendBatch: (messages: readonly { body: unknown }[]): Promise<void> => {
      const caller = processes.current()
      const hasFailed = random() < terms.failures()
      if (!hasFailed) accept(toMessages(messages.map(({ body }) => body)), 0)
      return new Promise((resolve, reject) => {
        processes.later(caller, latency(), () => (hasFailed ? reject(new Error('Queue sendBatch failed')) : resolve()))
      })
    },
  }
}

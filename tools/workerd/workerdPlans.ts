/** Handlers of Workers that share an isolate, and their environments. */
export type EdgePlan = {
  /** Worker that receives requests */
  entry: string
  /** addresses of proxies that may state the address of their client */
  proxies: readonly string[]
  /** bindings of each Worker by their own names; `local`: those that are another Worker of the isolate */
  workers: Readonly<Record<string, { bindings: readonly string[]; local: Readonly<Record<string, string>> }>>
}

/** A queue, with the limits of its consumer's wrangler.toml. */
export type QueuePlan = {
  /** binding of the consumer; undefined: messages wait */
  consumer?: string
  /** messages at most */
  batchSize: number
  /** how long a batch waits for more messages */
  waitSeconds: number
  /** deliveries of one message after the first */
  retries: number
  /** until a failed message is delivered again */
  delaySeconds: number
  /** queue that receives what failed too often; undefined: it is dropped */
  deadLetters?: string
}

export type PlatformPlan = {
  /** by name */
  queues: Readonly<Record<string, QueuePlan>>
  /** bindings of the Workers with a cron, each once a minute */
  crons: readonly string[]
}

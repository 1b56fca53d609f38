import { AsyncLocalStorage } from 'node:async_hooks'

/** One invocation of a Worker, or a Durable Object, whose methods share the limits of one. */
export type Invocation = { name: string; waiting: number }

/** Usage of the platform since the last reading. */
export type UsageReading = {
  /** the most requests of one invocation that waited for response headers at once, and its name */
  waiting: Invocation
  /** requests to the node, by the process that sent them */
  nodeCalls: ReadonlyMap<string, number>
  /** requests to the database, by the process that sent them */
  statements: ReadonlyMap<string, number>
  /** ticks and auctions that the clock logged, by process */
  steps: ReadonlyMap<string, number>
}

type Constructor = new (context: unknown, env: Record<string, unknown>) => object

/** Counts what invocations use of the platform: apart from the service's own limits. */
export const createUsage = () => {
  const current = new AsyncLocalStorage<Invocation>()
  const create = () => ({
    waiting: { name: '', waiting: 0 },
    nodeCalls: new Map<string, number>(),
    statements: new Map<string, number>(),
    steps: new Map<string, number>(),
  })
  let reading = create()

  const run = <T>(name: string, work: () => T): T => current.run({ name, waiting: 0 }, work)
  return {
    run,
    /** Follows a request of the current invocation until its response has headers. */
    follow: async (request: Promise<Response>): Promise<Response> => {
      const invocation = current.getStore()
      if (!invocation) return request
      invocation.waiting += 1
      if (invocation.waiting > reading.waiting.waiting) reading.waiting = { ...invocation }
      try {
        return await request
      } finally {
        invocation.waiting -= 1
      }
    },
    /** Counts a request or a step of a process. */
    count: (kind: 'nodeCalls' | 'statements' | 'steps', process: string): void => {
      const counts = reading[kind]
      counts.set(process, (counts.get(process) ?? 0) + 1)
    },
    /** The same class, each of whose objects is one invocation. */
    followObjects: (name: string, Class: Constructor): Constructor => {
      const follow = (object: object): object => {
        const invocation = { name, waiting: 0 }
        return new Proxy(object, {
          get: (target, key) => {
            const value: unknown = Reflect.get(target, key)
            if (typeof value !== 'function') return value
            return (...args: unknown[]) => current.run(invocation, () => Reflect.apply(value, target, args))
          },
        })
      }
      return new Proxy(Class, {
        construct: (Target, args: [unknown, Record<string, unknown>]) => follow(new Target(...args)),
      })
    },
    /** Reads and begins again. */
    take: (): UsageReading => {
      const taken = reading
      reading = create()
      return taken
    },
  }
}

export type Usage = ReturnType<typeof createUsage>

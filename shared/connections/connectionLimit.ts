import { AsyncLocalStorage } from 'node:async_hooks'

/** Target of a request: the database, or nodes, solvers and other providers, which may be slow. */
type Kind = 'database' | 'other'

/** Requests of one invocation that wait for response headers; the platform would queue a seventh. */
const maxWaiting = 6
/** One is left for the database, so that slow nodes and solvers do not delay a statement. */
const maxWaitingForOthers = 5

type Waiter = { kind: Kind; start: () => void }

const current = new AsyncLocalStorage<ReturnType<typeof createConnections>>()

/** Limits the requests of one invocation; an invocation inside another shares its limit, as on the platform. */
export const withConnectionLimit = <T>(work: () => Promise<T>): Promise<T> =>
  current.getStore() ? work() : current.run(createConnections(), work)

/** The same handler of a Worker, for example `scheduled`, with a limit for each of its invocations. */
export const limitInvocations =
  <Args extends unknown[], Result>(handler: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    withConnectionLimit(() => handler(...args))

/**
 * Gives each object of a Durable Object class one limit for all its methods, as on the platform: an alarm, its work in the
 * background and calls of other Workers share six requests. Called in a static block of the class.
 */
export const limitObjects = ({ prototype }: { prototype: object }): void => {
  const limits = new WeakMap<object, ReturnType<typeof createConnections>>()
  const limitOf = (object: object) => {
    const limit = limits.get(object) ?? createConnections()
    limits.set(object, limit)
    return limit
  }
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const method: unknown = property.value
    if (name === 'constructor' || typeof method !== 'function') continue
    Object.defineProperty(prototype, name, {
      ...property,
      value(this: object, ...args: unknown[]): unknown {
        return current.run(limitOf(this), () => Reflect.apply(method, this, args))
      },
    })
  }
}

/**
 * Sends a request when fewer than six of the invocation wait for their response headers, in the order of the calls. The
 * platform would do the same unseen; a deadline that begins inside `send` counts from the sending.
 * @param signal ends the waiting
 * @throws the reason of the signal
 */
export const sendInTurn = (kind: Kind, send: () => Promise<Response>, signal?: AbortSignal | null): Promise<Response> =>
  current.getStore()?.send(kind, send, signal) ?? send()

const createConnections = () => {
  const waiting = { database: 0, other: 0 }
  let queue: Waiter[] = []

  const isFree = (kind: Kind): boolean =>
    waiting.database + waiting.other < maxWaiting && (kind === 'database' || waiting.other < maxWaitingForOthers)

  const run = async (kind: Kind, send: () => Promise<Response>): Promise<Response> => {
    waiting[kind]++
    try {
      return await send()
    } finally {
      waiting[kind]--
      startNext()
    }
  }

  const startNext = (): void => {
    const next = queue.find(({ kind }) => isFree(kind))
    if (!next) return
    queue = queue.filter((waiter) => waiter !== next)
    next.start()
  }

  return {
    send: (kind: Kind, send: () => Promise<Response>, signal?: AbortSignal | null): Promise<Response> => {
      if (isFree(kind)) return run(kind, send)
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          kind,
          start: () => {
            signal?.removeEventListener('abort', leave)
            run(kind, send).then(resolve, reject)
          },
        }
        const leave = (): void => {
          queue = queue.filter((other) => other !== waiter)
          reject(signal?.reason)
        }
        if (signal?.aborted) return reject(signal.reason)
        signal?.addEventListener('abort', leave, { once: true })
        queue.push(waiter)
      })
    },
  }
}

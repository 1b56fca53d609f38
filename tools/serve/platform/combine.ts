import { WorkerEntrypoint, waitUntil } from 'cloudflare:workers'
import type { EdgePlan } from '../../workerd/workerdPlans.ts'
import { trustProxies } from './trustProxies.ts'

type Env = Record<string, unknown>
type Handler = { fetch: (request: Request, env: Env, context: object) => Response | Promise<Response> }

/** Between two looks at whether streams and WebSockets are to end. */
const drainPollMs = 500
let isDraining = false

/** Ends streams and WebSockets when the process is about to end; clients reconnect and continue where they were. */
export class Drain extends WorkerEntrypoint {
  drain(): void {
    isDraining = true
  }
}

/**
 * The handlers of several Workers as one: a call of another one is a function call. Their modules stay apart, each with
 * its own state.
 */
export const combine = (handlers: Readonly<Record<string, Handler>>) => {
  let entry: ((request: Request) => Promise<Response>) | undefined
  return {
    async fetch(request: Request, env: Env): Promise<Response> {
      entry ??= connect(handlers, env)
      const response = await entry(trustProxies(request, (env.EDGE as EdgePlan).proxies))
      return response.webSocket ? closeWithDrain(response.webSocket) : endWithDrain(response)
    },
  }
}

const context = { waitUntil, passThroughOnException: () => undefined, props: {} }

const connect = (handlers: Readonly<Record<string, Handler>>, env: Env): ((request: Request) => Promise<Response>) => {
  const plan = env.EDGE as EdgePlan
  const envs: Record<string, Env> = {}
  const bind = (name: string) => async (input: Request | string, init?: RequestInit) => {
    const request = typeof input === 'string' || init ? new Request(input, init) : input
    return (handlers[name] as Handler).fetch(request, envs[name] as Env, context)
  }
  for (const [name, { bindings, local }] of Object.entries(plan.workers)) {
    const own = bindings.map((binding) => [binding, env[`${name}:${binding}`]])
    const others = Object.entries(local).map(([binding, other]) => [binding, { fetch: bind(other) }])
    envs[name] = Object.fromEntries([...own, ...others])
  }
  return bind(plan.entry)
}

const endWithDrain = (response: Response): Response => {
  const { body } = response
  if (!body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) return response
  const reader = body.getReader()
  let timer: ReturnType<typeof setInterval>
  const watched = new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => {
        if (!isDraining) return
        clearInterval(timer)
        controller.close()
        void reader.cancel().catch(() => undefined)
      }, drainPollMs)
    },
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (isDraining) return
        if (!done) return controller.enqueue(value)
        clearInterval(timer)
        controller.close()
      } catch (error) {
        clearInterval(timer)
        controller.error(error)
      }
    },
    cancel: async (reason) => {
      clearInterval(timer)
      await reader.cancel(reason)
    },
  })
  return new Response(watched, response)
}

/** Close code of a restarting service (IANA registry). */
const serviceRestart = 1012
/** Codes that report the lack of a close frame, and cannot be sent. */
const unsendable = [1005, 1006]

/** Passes messages on in both directions, until one side closes or the process is about to end. */
const closeWithDrain = (object: WebSocket): Response => {
  const { 0: webSocket, 1: client } = new WebSocketPair()
  const close = (socket: WebSocket, code: number, reason: string): void => {
    clearInterval(timer)
    if (unsendable.includes(code)) socket.close()
    else socket.close(code, reason)
  }
  const pass = (from: WebSocket, to: WebSocket): void => {
    from.addEventListener('message', ({ data }) => to.send(data))
    from.addEventListener('close', ({ code, reason }) => close(to, code, reason))
    from.addEventListener('error', () => close(to, unsendable[0] as number, ''))
    from.accept()
  }
  const timer = setInterval(() => {
    if (!isDraining) return
    for (const socket of [client, object]) close(socket, serviceRestart, 'a new release')
  }, drainPollMs)
  pass(object, client)
  pass(client, object)
  return new Response(null, { status: 101, webSocket })
}

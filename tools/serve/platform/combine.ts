import { WorkerEntrypoint, waitUntil } from 'cloudflare:workers'
import type { EdgePlan } from '../../workerd/workerdPlans.ts'

type Env = Record<string, unknown>
type Handler = { fetch: (request: Request, env: Env, context: object) => Response | Promise<Response> }

/** Between two looks at whether streams are to end. */
const drainPollMs = 500
let isDraining = false

/** Ends streams when the process is about to end; clients reconnect and continue where they were. */
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
      return endWithDrain(await entry(request))
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

import type { Process, Processes } from './processes.ts'

/** A machine that responds to requests. */
export type Host = {
  name: string
  /** process that works on a request, dead in an outage; undefined: outside of the service, it never dies */
  process?: () => Process
  answer: (request: Request) => Promise<Response>
  /** virtual milliseconds in each direction */
  latency: () => number
}

/** Carries requests between machines: each has a latency, and no response when one side has died. */
export const createNetwork = (processes: Processes) => {
  /** Requests in flight. Their signals are connected weakly, so that one without a response would end when memory is collected. */
  const open = new Set<Request>()
  const send = (machine: Host, request: Request): Promise<Response> => {
    const caller = processes.current()
    const process = machine.process?.()
    return new Promise((resolve, reject) => {
      let isOver = false
      const end = () => {
        isOver = true
        open.delete(request)
        process?.onDeath.delete(lose)
        request.signal.removeEventListener('abort', abort)
      }
      const reply = (work: () => void) => {
        if (isOver) return
        processes.later(caller, machine.latency(), () => {
          if (isOver) return
          end()
          work()
        })
      }
      const lose = () => reply(() => reject(new TypeError('fetch failed')))
      const abort = () => {
        if (isOver) return
        end()
        reject(request.signal.reason)
      }
      if (request.signal.aborted) return abort()
      open.add(request)
      request.signal.addEventListener('abort', abort)
      if (process && !process.isAlive) return lose()
      process?.onDeath.add(lose)
      processes.later(process, machine.latency(), async () => {
        try {
          const response = await machine.answer(request)
          reply(() => resolve(process ? untilDeath(process, response) : response))
        } catch {
          lose()
        }
      })
    })
  }
  return { send }
}

/** A stream ends with the process that writes it. */
const untilDeath = (process: Process, response: Response): Response => {
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream') || !response.body) return response
  const reader = response.body.getReader()
  let die: () => void = () => undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      die = () => controller.error(new TypeError('terminated'))
      process.onDeath.add(die)
    },
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (!process.isAlive) return
      if (!done) return controller.enqueue(value)
      process.onDeath.delete(die)
      controller.close()
    },
    cancel: (reason) => {
      process.onDeath.delete(die)
      return reader.cancel(reason)
    },
  })
  return new Response(body, response)
}

import { sendInTurn } from '../../connections/connectionLimit.ts'
import { measureRoundTrip } from '../../logging/serverTiming.ts'

type Judge = (url: string, response: Response) => Promise<{ response: Response; isGood: boolean }>

/** Sends a request to one node; 503 stands for a missing response. */
export const requestNode = async (url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> =>
  measureRoundTrip('rpc', () => sendInTurn('other', () => fetch(url, init), init.signal)).catch(
    replaceMissing(init.signal),
  )

/** Replaces a missing response, so that it is treated like a bad one. */
const replaceMissing =
  (signal: AbortSignal) =>
  (error: unknown): Response => {
    if (signal.aborted) throw error
    return new Response(null, { status: 503 })
  }

/** Sends a request to one node after the other, until a response is good. */
export const raceNodes = (
  nodes: readonly string[],
  init: RequestInit & { signal: AbortSignal },
  hedgeMs: number | undefined,
  judge: Judge,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const running = new Map<string, AbortController>()
    let next = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      for (const controller of running.values()) controller.abort()
      settle()
    }
    const start = (): void => {
      clearTimeout(timer)
      const url = nodes[next]
      next += 1
      if (url === undefined) return
      const controller = new AbortController()
      running.set(url, controller)
      if (hedgeMs !== undefined && next < nodes.length) timer = setTimeout(start, hedgeMs)
      const signal = AbortSignal.any([init.signal, controller.signal])
      const judged = requestNode(url, { ...init, signal }).then((response) => judge(url, response))
      judged
        .catch((error: unknown) => ({ response: replaceMissing(signal)(error), isGood: false }))
        .then(
          ({ response, isGood }) => {
            running.delete(url)
            if (isGood || (next >= nodes.length && running.size === 0)) finish(() => resolve(response))
            else {
              void response.body?.cancel()
              if (next < nodes.length) start()
            }
          },
          (error: unknown) => {
            running.delete(url)
            if (init.signal.aborted) finish(() => reject(error))
          },
        )
    }
    start()
  })

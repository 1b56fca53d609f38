import { sendInTurn } from '../../connections/connectionLimit.ts'
import { measureRoundTrip } from '../../logging/serverTiming.ts'
import { judgeAnswer } from './judgeAnswer.ts'
import { createMethodGaps } from './methodGaps.ts'

const retryDelayMs = 150

const gaps = createMethodGaps()

/** The nodes of `RPC_URL`, in the order of preference. */
export const listNodes = (rpcUrl: string): string[] =>
  rpcUrl
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')

/**
 * Sends a JSON-RPC request to the first node; to the next one when a node does not answer, answers with 429 or
 * 5xx, or lacks the block because it is behind.
 * With one node, a missing answer or a 5xx is repeated once after a pause. A slow node has company after a second,
 * except for `eth_sendRawTransaction`: the first good answer wins, and the other request is cancelled. A node that
 * refuses a method as a whole is asked for it last during the next minutes.
 * @param rpcUrl one URL, or several separated by commas
 * @param init its signal bounds all attempts together
 * @param hedgeAfterMs time after which a slow read is also sent to the next node
 * @returns the first good answer, else the last bad one; 503 stands for a missing answer
 * @throws the reason of the signal
 */
export const fetchNode = async (
  rpcUrl: string,
  init: RequestInit & { signal: AbortSignal },
  hedgeAfterMs = 1_000,
): Promise<Response> => {
  const nodes = listNodes(rpcUrl)
  const [first = rpcUrl, ...others] = nodes
  if (others.length === 0) {
    const response = await request(first, init)
    if (response.status < 500) return response
    await response.body?.cancel()
    await pause(retryDelayMs, init.signal)
    return request(first, init)
  }
  const method = readMethod(init)
  const hedgeMs = method === 'eth_sendRawTransaction' ? undefined : hedgeAfterMs
  return race(gaps.sort(nodes, method), init, hedgeMs, async (url, response) => {
    const { response: same, verdict } = await judgeAnswer(response, method)
    if (verdict === 'refusal') gaps.learn(url, method)
    return { response: same, isGood: verdict === 'good' }
  })
}

type Judge = (url: string, response: Response) => Promise<{ response: Response; isGood: boolean }>

const readMethod = ({ body }: RequestInit): string =>
  (typeof body === 'string' && body.match(/"method":\s*"(\w+)"/)?.[1]) || ''

const request = async (url: string, init: RequestInit & { signal: AbortSignal }): Promise<Response> =>
  measureRoundTrip('rpc', () => sendInTurn('other', () => fetch(url, init), init.signal)).catch(
    replaceMissing(init.signal),
  )

/** Replaces a missing answer, so that it is treated like a bad one. */
const replaceMissing =
  (signal: AbortSignal) =>
  (error: unknown): Response => {
    if (signal.aborted) throw error
    return new Response(null, { status: 503 })
  }

const race = (
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
      const judged = request(url, { ...init, signal }).then((response) => judge(url, response))
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

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })

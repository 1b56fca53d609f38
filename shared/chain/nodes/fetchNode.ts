import { judgeResponse } from './judgeResponse.ts'
import { createMethodGaps } from './methodGaps.ts'
import { raceNodes, requestNode } from './raceNodes.ts'

const retryDelayMs = 150

const gaps = createMethodGaps()

/** The nodes of `RPC_URL`, in the order of preference. */
export const listNodes = (rpcUrl: string): string[] =>
  rpcUrl
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')

/**
 * Sends a JSON-RPC request to the first node, and to the next one when a node does not respond, responds with 429 or
 * 5xx, or lacks the block because it is behind.
 * With one node, a request without a response, or with a 5xx, is repeated once after a pause. A read that takes longer
 * than a second is also sent to the next node, except `eth_sendRawTransaction`: the first good response wins, and the
 * other request is cancelled. A node that refuses a method as a whole comes last for it during the next minutes.
 * @param rpcUrl one URL, or several separated by commas
 * @param init its signal bounds all attempts together
 * @param hedgeAfterMs time after which a slow read is also sent to the next node
 * @returns the first good response, else the last bad one; 503 stands for a missing response
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
    const response = await requestNode(first, init)
    if (response.status < 500) return response
    await response.body?.cancel()
    await pause(retryDelayMs, init.signal)
    return requestNode(first, init)
  }
  const method = (typeof init.body === 'string' && init.body.match(/"method":\s*"(\w+)"/)?.[1]) || ''
  const hedgeMs = method === 'eth_sendRawTransaction' ? undefined : hedgeAfterMs
  return raceNodes(gaps.sort(nodes, method), init, hedgeMs, async (url, response) => {
    const { response: same, verdict } = await judgeResponse(response, method)
    if (verdict === 'refusal') gaps.learn(url, method)
    return { response: same, isGood: verdict === 'good' }
  })
}

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

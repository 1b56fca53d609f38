import { z } from 'zod'
import { isNodeFault } from '../calls/isNodeFault.ts'
import { isUnsupported } from './isUnsupported.ts'

/**
 * `refusal`: the node does not offer the method; `failure`: it fails, or is behind and lacks the block; `good`: anything
 * else, errors of contracts and of the request too.
 */
export type Verdict = 'good' | 'refusal' | 'failure'

/** Longer responses are good. */
const maxJudgedBytes = 2_000
/** Methods whose result is null on a node that lacks the block. */
const blockMethods: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
])

/**
 * Judges a response by its status and the first part of its body that arrives: refusals and failures are short.
 * @returns the verdict, and the response with its whole body
 * @throws when the body breaks off before its beginning
 */
export const judgeResponse = async (
  response: Response,
  method: string,
): Promise<{ response: Response; verdict: Verdict }> => {
  const { status, body } = response
  if (status === 403) return { response, verdict: 'refusal' }
  if (status === 429 || status >= 500) return { response, verdict: 'failure' }
  if (!body) return { response, verdict: 'good' }
  const reader = body.getReader()
  const { value } = await reader.read()
  const rest = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (value) controller.enqueue(value)
      else controller.close()
    },
    pull: async (controller) => {
      const next = await reader.read()
      if (next.done) controller.close()
      else controller.enqueue(next.value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return { response: new Response(rest, response), verdict: judgeStart(value, method) }
}

const judgeStart = (start: Uint8Array | undefined, method: string): Verdict => {
  if (!start || start.length > maxJudgedBytes) return 'good'
  const text = new TextDecoder().decode(start)
  if (!text.includes('"error"') && !text.includes('null')) return 'good'
  try {
    const responses = [responsesSchema.parse(JSON.parse(text))].flat()
    const errors = responses.flatMap(({ error }) => error ?? [])
    if (errors.some(({ code }) => isUnsupported(code))) return 'refusal'
    const isBehind = blockMethods.has(method) && responses.some(({ result }) => result === null)
    return isBehind || errors.some(isNodeFault) ? 'failure' : 'good'
  } catch {
    return 'good'
  }
}

const responseSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string().catch(''), data: z.unknown().optional() }).nullish(),
})
const responsesSchema = z.union([responseSchema, z.array(responseSchema)])

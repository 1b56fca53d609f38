import { z } from 'zod'
import { isUnsupported } from './isUnsupported.ts'

/** How long a refusal counts: a plan may change. */
const keptMs = 10 * 60_000
/** Longer responses are no refusals. */
const maxRefusalBytes = 2_000

/** Which nodes refused which method, for some minutes, in this isolate. */
export const createMethodGaps = (now: () => number = Date.now) => {
  const until = new Map<string, number>()
  const toKey = (url: string, method: string): string => `${method} ${url}`
  const isMissing = (url: string, method: string): boolean => (until.get(toKey(url, method)) ?? 0) > now()
  return {
    learn: (url: string, method: string): void => {
      until.set(toKey(url, method), now() + keptMs)
    },
    /** The same nodes, those that refused the method last. */
    sort: (nodes: readonly string[], method: string): string[] =>
      nodes.toSorted((a, b) => Number(isMissing(a, method)) - Number(isMissing(b, method))),
  }
}

/**
 * Whether a node refuses a method as a whole: with 403, or with an error code that says so. Reads only the first part that
 * arrives: a refusal is short.
 * @returns the response with its whole body
 * @throws when the body breaks off before its beginning
 */
export const toRefusal = async (response: Response): Promise<{ response: Response; isRefusal: boolean }> => {
  if (response.status === 403) return { response, isRefusal: true }
  const { body } = response
  if (!body || response.status >= 429) return { response, isRefusal: false }
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
  return { response: new Response(rest, response), isRefusal: isRefusing(value) }
}

const isRefusing = (start: Uint8Array | undefined): boolean => {
  if (!start || start.length > maxRefusalBytes) return false
  const text = new TextDecoder().decode(start)
  if (!text.includes('"error"')) return false
  try {
    const parsed = refusalSchema.parse(JSON.parse(text))
    return [parsed].flat().some(({ error }) => error !== undefined && isUnsupported(error.code))
  } catch {
    return false
  }
}

const answerSchema = z.object({ error: z.object({ code: z.number() }).optional() })
const refusalSchema = z.union([answerSchema, z.array(answerSchema)])

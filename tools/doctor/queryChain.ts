import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { callNode } from '#shared/chain/callNode.ts'
import { isUnsupported } from '#shared/chain/nodes/isUnsupported.ts'
import { describeError } from '#shared/http/describeError.ts'

const timeoutMs = 8_000
const attempts = 3

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
])

/** `unsupported`: the node lacks the method; `failed`: no response, or not JSON-RPC. */
export type ChainAnswer =
  | { kind: 'result'; result: unknown }
  | { kind: 'error' | 'unsupported' | 'failed'; message: string }

/**
 * Calls a node, within eight seconds; again when it limits, at most twice. Never throws.
 * @param pauseMs time between two calls of a node that limits
 */
export const queryChain = async (
  rpcUrl: string,
  method: string,
  params: unknown[],
  pauseMs = 500,
): Promise<ChainAnswer> => {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await askOnce(rpcUrl, method, params)
    const isLimited = answer.kind === 'failed' && answer.message.includes('responded with 429')
    if (!isLimited || attempt === attempts) return answer
    await sleep(pauseMs)
  }
}

const askOnce = async (rpcUrl: string, method: string, params: unknown[]): Promise<ChainAnswer> => {
  try {
    const answer = await callNode(rpcUrl, { method, params }, answerSchema, AbortSignal.timeout(timeoutMs))
    if (!('error' in answer)) return { kind: 'result', result: answer.result }
    const { code, message } = answer.error
    const isMissing =
      isUnsupported(code) || /not (supported|available|found|allowed|whitelisted)|disabled/i.test(message)
    const isAboutMethod = isUnsupported(code) || /method/i.test(message) || message.includes(method)
    return { kind: isMissing && isAboutMethod ? 'unsupported' : 'error', message: message.slice(0, 200) }
  } catch (error) {
    if (error instanceof z.ZodError) return { kind: 'failed', message: 'the response is not JSON-RPC' }
    // `fetchNode` reports a missing response as 503
    const message = describeError(error).replace('responded with 503', 'did not respond, or with 503')
    return { kind: 'failed', message }
  }
}

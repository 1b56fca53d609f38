import type { z } from 'zod'
import { measureRoundTrip } from '#shared/logging/serverTiming.ts'
import { readBoundedJson } from '#shared/solvers/readBoundedJson.ts'

const maxAnswerBytes = 4 * 1024 * 1024

/** A JSON-RPC request, for methods that `connectChain` does not offer. */
export type NodeCall = { method: string; params: unknown[] }

/**
 * Sends one request to a node, bounded in size, and in time by `signal`.
 * @param answerSchema schema of the whole response, `{ result }` or `{ error }`
 * @throws Error when the response fails or does not match the schema
 */
export const askNode = async <Answer>(
  rpcUrl: string,
  { method, params }: NodeCall,
  answerSchema: z.ZodType<Answer>,
  signal: AbortSignal,
): Promise<Answer> =>
  measureRoundTrip('rpc', async () => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal,
    })
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel()
      throw new Error(`the node responded with ${response.status}`)
    }
    return answerSchema.parse(await readBoundedJson(response, maxAnswerBytes))
  })

/** Whether an error's code says "method not found" or "method not supported". */
export const isUnsupported = (code: number): boolean => code === -32_601 || code === -32_004

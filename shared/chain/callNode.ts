import type { z } from 'zod'
import { readBoundedJson } from '../connections/readBoundedJson.ts'
import { fetchNode } from './nodes/fetchNode.ts'

const maxResponseBytes = 4 * 1024 * 1024

/** A JSON-RPC request, for methods that `connectChain` does not offer. */
export type NodeCall = { method: string; params: unknown[] }

/**
 * Sends one request to a network's nodes (`fetchNode`), bounded in size, and in time by `signal`.
 * @param responseSchema schema of the whole response, `{ result }` or `{ error }`
 * @throws ForbiddenMethodError on 403, Error when the response fails or does not match the schema
 */
export const callNode = async <Result>(
  rpcUrl: string,
  { method, params }: NodeCall,
  responseSchema: z.ZodType<Result>,
  signal: AbortSignal,
): Promise<Result> => {
  const response = await fetchNode(rpcUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal,
  })
  if (response.status === 429 || response.status >= 500) {
    await response.body?.cancel()
    throw new Error(`the node responded with ${response.status}`)
  }
  if (response.status === 403) {
    await response.body?.cancel()
    throw new ForbiddenMethodError(`the node refuses ${method}`)
  }
  return responseSchema.parse(await readBoundedJson(response, maxResponseBytes))
}

/** A method that the node refuses as a whole, with HTTP 403. */
export class ForbiddenMethodError extends Error {
  override name = 'ForbiddenMethodError'
}

import { z } from '@hono/zod-openapi'

/** A single JSON-RPC 2.0 request; batches are rejected. */
export const rpcRequestSchema = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string().max(64), z.number(), z.null()]),
    method: z.string().max(64),
    params: z.array(z.unknown()).default([]),
  })
  .openapi('LocalRpcRequest')

export type RpcRequest = z.output<typeof rpcRequestSchema>

export const rpcErrorSchema = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() })

export type RpcOutcome = { result: unknown } | { error: z.output<typeof rpcErrorSchema> }

export const rpcResponseSchema = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: rpcRequestSchema.shape.id,
    result: z.unknown().optional(),
    error: rpcErrorSchema.optional(),
  })
  .openapi('LocalRpcAnswer')

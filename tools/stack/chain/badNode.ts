import { createServer } from 'node:http'
import { listenLocally } from '../listenLocally.ts'

export type RpcCall = { method: string; params: unknown[] }

/**
 * Treatment of a call by a bad node: `forward` calls the real node; the returned value is the result, a thrown one the
 * response.
 */
export type Interference = (call: RpcCall, forward: (call?: RpcCall) => Promise<unknown>) => unknown

/** A response without a result: a JSON-RPC error, an HTTP status, or a closed connection. */
export class NodeRefusal extends Error {
  readonly answer: {
    status?: number
    headers?: Record<string, string>
    error?: { code: number; message: string }
    isCut?: boolean
  }

  constructor(answer: NodeRefusal['answer']) {
    super('refused')
    this.answer = answer
  }
}

export type BadNode = {
  url: string
  /** calls since the last interference */
  calls: RpcCall[]
  /** from now on; undefined: an honest node */
  interfere: (interference?: Interference) => void
  close: () => void
}

/** A JSON-RPC endpoint in front of a real node that lags, fails or lies as configured. */
export const startBadNode = async (rpcUrl: string): Promise<BadNode> => {
  let interference: Interference | undefined
  const calls: RpcCall[] = []
  const requestNode = async ({ method, params }: RpcCall): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
    const response = await fetch(rpcUrl, init).catch(() => {
      throw new NodeRefusal({ isCut: true })
    })
    const answer = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
    if (answer.error) throw new NodeRefusal({ error: answer.error })
    return answer.result ?? null
  }
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray().catch(() => undefined)
    // the caller gave up
    if (!chunks) return
    const { id, method, params = [] } = JSON.parse(Buffer.concat(chunks).toString())
    const call = { method, params }
    calls.push(call)
    const send = (status: number, headers: Record<string, string>, answer: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    }
    try {
      const forward = (changed = call) => requestNode(changed)
      send(200, {}, { result: await (interference ? interference(call, forward) : forward()) })
    } catch (refusal) {
      if (!(refusal instanceof NodeRefusal)) throw refusal
      const { status = 200, headers = {}, error, isCut } = refusal.answer
      if (isCut) return void response.destroy()
      send(status, headers, error ? { error } : {})
    }
  })
  return {
    ...(await listenLocally(server)),
    calls,
    interfere: (next) => {
      interference = next
      calls.length = 0
    },
  }
}

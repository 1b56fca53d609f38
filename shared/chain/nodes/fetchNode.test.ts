import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fetchNode } from './fetchNode.ts'

type Node = {
  url: string
  bodies: string[]
  answer: number | 'silence' | 'cut' | 'stall' | 'refusal' | 'behind'
  received: Promise<void>
  cancelled: Promise<void>
}

const behind = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'header not found' } })
const refusal = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'no such method' } })

let nodes: Node[]
let closers: (() => void)[]

const startNode = async (): Promise<Node> => {
  const received = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  const node: Node = { url: '', bodies: [], answer: 200, received: received.promise, cancelled: cancelled.promise }
  const server = createServer(async (request, response) => {
    response.once('close', () => response.writableFinished || cancelled.resolve())
    node.bodies.push(Buffer.concat(await request.toArray()).toString())
    received.resolve()
    if (node.answer === 'cut') return void response.destroy()
    if (node.answer === 'silence') return
    const name = { 'X-Node': String(nodes.indexOf(node)) }
    if (node.answer === 'refusal') return void response.writeHead(200, name).end(refusal)
    if (node.answer === 'behind') return void response.writeHead(200, name).end(behind)
    if (node.answer === 'stall') {
      response.writeHead(200, name).flushHeaders()
      return void response.destroy()
    }
    response.writeHead(node.answer, name).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  node.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return node
}

beforeEach(async () => {
  closers = []
  nodes = [await startNode(), await startNode()]
})

afterEach(() => {
  for (const close of closers) close()
})

const send = ({ method = 'eth_call', signal = AbortSignal.timeout(10_000), hedgeAfterMs = 5_000 } = {}) => {
  const rpcUrl = nodes.map(({ url }) => url).join(', ')
  return fetchNode(rpcUrl, { method: 'POST', body: JSON.stringify({ method }), signal }, hedgeAfterMs)
}

const get = (index: number): Node => {
  const node = nodes[index]
  if (!node) throw new Error('no such node')
  return node
}

describe('several nodes', () => {
  test('only the first receives a request when it works', async () => {
    expect((await send()).headers.get('X-Node')).toBe('0')
    expect(get(1).bodies).toEqual([])
  })

  test.each([429, 500, 503, 'cut', 'stall'] as const)('the second responds after %s', async (answer) => {
    get(0).answer = answer
    const response = await send()
    expect([response.status, response.headers.get('X-Node')]).toEqual([200, '1'])
    expect(get(0).bodies).toHaveLength(1)
  })

  test('a transaction fails over, too', async () => {
    get(0).answer = 503
    expect((await send({ method: 'eth_sendRawTransaction' })).headers.get('X-Node')).toBe('1')
  })

  test('an error of the request itself is a good response', async () => {
    get(0).answer = 400
    expect((await send()).status).toBe(400)
    expect(get(1).bodies).toEqual([])
  })

  test.each([403, 'refusal'] as const)(
    'the second responds to a method that the first refuses with %s, the next time at once',
    async (answer) => {
      get(0).answer = answer
      const method = `eth_refusedWith${answer}`
      for (const calls of [1, 1]) {
        const response = await send({ method })
        expect([response.headers.get('X-Node'), await response.text()]).toEqual(['1', '{}'])
        expect(get(0).bodies).toHaveLength(calls)
      }
      get(0).answer = 200
      expect((await send()).headers.get('X-Node')).toBe('0')
    },
  )

  test('the response of a node that lacks the block does not count while another has it', async () => {
    get(0).answer = 'behind'
    for (const calls of [1, 2]) {
      expect((await send()).headers.get('X-Node')).toBe('1')
      // it receives the next request, because it may have caught up
      expect(get(0).bodies).toHaveLength(calls)
    }
    get(1).answer = 'behind'
    expect(await (await send()).text()).toBe(behind)
  })

  test('a method that all refuse gets the refusal, whole', async () => {
    for (const node of nodes) node.answer = 'refusal'
    const response = await send({ method: 'eth_refusedByAll' })
    expect([response.status, await response.text()]).toEqual([200, refusal])
  })

  test('a slow read is also sent to the second, and cancelled at the first', async () => {
    get(0).answer = 'silence'
    expect((await send({ hedgeAfterMs: 1 })).headers.get('X-Node')).toBe('1')
    await get(0).cancelled
  })

  test('a slow transaction is sent to one node only', async () => {
    get(0).answer = 'silence'
    const stop = new AbortController()
    const sent = send({ method: 'eth_sendRawTransaction', signal: stop.signal, hedgeAfterMs: 0 })
    await get(0).received
    stop.abort(new Error('enough'))
    await expect(sent).rejects.toThrow()
    expect(get(1).bodies).toEqual([])
  })

  test('without a good response the last bad one is returned', async () => {
    get(0).answer = 'cut'
    get(1).answer = 429
    expect((await send()).status).toBe(429)
  })
})

describe('one node', () => {
  beforeEach(() => {
    nodes = nodes.slice(0, 1)
  })

  test.each([500, 'cut'] as const)('receives two requests after %s', async (answer) => {
    get(0).answer = answer
    expect((await send()).status).toBe(answer === 'cut' ? 503 : 500)
    expect(get(0).bodies).toHaveLength(2)
  })

  test('receives one request after 429', async () => {
    get(0).answer = 429
    expect((await send()).status).toBe(429)
    expect(get(0).bodies).toHaveLength(1)
  })
})

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { patienceMs } from '../patienceMs.ts'

export type ToolResult = { isError?: boolean; structuredContent?: unknown; content: { text: string }[] }

export type Built = {
  orderUid: Hex
  funding: { steps: { type: string }[] }
  typedData: { domain: object; types: Record<string, { name: string; type: string }[]>; message: object }
  place: { method: string; path: string; body: Record<string, unknown> }
}
type Followed = { unchanged?: boolean; etag: string; order?: { status: string } }

export type Agent = Awaited<ReturnType<typeof connectAgent>>

/** An agent that knows the base URL alone: the protocol's official client, and signatures with the keys of its accounts. */
export const connectAgent = async (baseUrl: string, network: string) => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', baseUrl)))
  const called = new Set<string>()

  const request = async (name: string, args: Record<string, unknown> = {}): Promise<ToolResult> =>
    (await client.callTool({ name, arguments: args })) as ToolResult

  /** Calls a tool; its result is an object or a list. */
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
    called.add(name)
    const { isError, content } = await request(name, args)
    const value: unknown = JSON.parse(content[0]?.text ?? 'null')
    expect({ name, isError: isError ?? false, value }).toMatchObject({ isError: false })
    return value
  }

  /** An order to sign that names the receiver, owner and tokens that it was built for. */
  const build = async (body: Record<string, unknown>): Promise<Built> => {
    const built = (await call('build_order', { network, body })) as Built
    for (const order of [built.typedData.message, built.place.body])
      expect(order).toMatchObject({ receiver: body.receiver, sellToken: body.sellToken, buyToken: body.buyToken })
    expect(built.place.body).toMatchObject({ from: body.from })
    return built
  }

  const sign = (privateKey: Hex, { typedData }: Built, changes: Record<string, string> = {}): Promise<Hex> => {
    const message = { ...typedData.message, ...changes }
    return privateKeyToAccount(privateKey).signTypedData({ ...typedData, message, primaryType: 'Order' } as never)
  }

  const place = async ({ place: { method, path } }: Built, order: object): Promise<Response> =>
    fetch(baseUrl + path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(order),
    })

  return {
    called,
    request,
    call,
    build,
    sign,
    place,
    /** Builds an order, signs it and places it after a dry run that finds it fillable. @returns its UID */
    open: async (privateKey: Hex, body: Record<string, unknown>): Promise<Hex> => {
      const built = await build(body)
      expect(built.funding.steps).toEqual([{ type: 'sign' }])
      const order = { ...built.place.body, signature: await sign(privateKey, built) }
      expect(await call('dry_run', { network, body: order })).toMatchObject({ fillable: true })
      const placed = await place(built, order)
      expect([placed.status, await placed.json()]).toEqual([201, built.orderUid])
      return built.orderUid
    },
    /**
     * Follows an order until it is filled.
     * @throws Error with its explanation when it does not fill in time
     */
    follow: async (uid: Hex): Promise<void> => {
      const until = Date.now() + patienceMs
      let seen: Followed | undefined
      while (seen?.order?.status !== 'fulfilled') {
        if (Date.now() > until) throw new Error(JSON.stringify(await call('explain_order', { network, uid })))
        const after = seen ? { 'if-none-match': seen.etag } : {}
        const next = (await call('follow_order', { network, uid, ...after })) as Followed
        seen = next.unchanged && seen ? seen : next
      }
    },
    close: () => client.close(),
  }
}

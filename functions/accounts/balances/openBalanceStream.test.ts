import type { Address } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import type { StreamRefusal } from '#shared/streams/openCountedStream.ts'
import { type BalanceStreams, createBalanceWatch } from './createBalanceWatch.ts'
import { openBalanceStream, type WatchRequest } from './openBalanceStream.ts'

const address: Address = `0x${'aa'.repeat(20)}`
const limits = { streamsPerAccount: 3, tokensPerAccount: 500, lifetimeMs: 60_000, pollMs: 5_000 }
const maxTokens = 200

let watches: Map<string, BalanceStreams>
beforeEach(() => {
  watches = new Map()
})

const createWatch = () =>
  createBalanceWatch({
    account: { chainId: 1, address },
    limits,
    findHead: async () => 1n,
    findBalances: async () => [],
    setAlarm: () => undefined,
    now: () => 1_000,
    random: () => 0.5,
    log: () => undefined,
  })

/** Durable Objects in memory, one per name. */
const WATCHES = {
  getByName: (name: string) => ({
    fetch: async (request: Request) => {
      const { watch, tokens } = (await request.json()) as WatchRequest
      expect(watch).toBe(name)
      const object = watches.get(name) ?? createWatch()
      watches.set(name, object)
      const joined = object.join({ tokens, lastEventId: undefined, leave: () => undefined })
      return joined instanceof ReadableStream ? new Response(joined) : Response.json(joined, { status: 429 })
    },
  }),
}

let next = 1
const newTokens = (count: number): Address[] =>
  Array.from({ length: count }, (): Address => `0x${(next++).toString(16).padStart(40, '0')}`)

const open = async (client: string, tokens: readonly Address[]): Promise<'open' | StreamRefusal> => {
  const opened = await openBalanceStream(
    { WATCHES },
    { network: networks.mainnet, address },
    { tokens, client, lastEventId: undefined },
  )
  return opened instanceof ReadableStream ? 'open' : opened
}

describe('the streams of an account', () => {
  test('remain available to the owner when a stranger watches as many tokens as possible', async () => {
    for (let i = 0; i < 20; i += 1) await open('stranger', newTokens(maxTokens))
    expect(await open('stranger', newTokens(maxTokens))).toEqual({ limit: 'tokensPerAccount', max: 500 })
    expect(await open('owner', newTokens(maxTokens))).toBe('open')
    expect(await open('owner', newTokens(maxTokens))).toBe('open')
  })

  test('remain available to the owner when strangers open as many streams as possible', async () => {
    const [token] = newTokens(1)
    if (!token) throw new Error('no token')
    for (const stranger of ['one', 'two', 'three']) for (let i = 0; i < 9; i += 1) await open(stranger, [token])
    expect(await open('three', [token])).toEqual({ limit: 'streamsPerAccount', max: 3 })
    expect(await open('owner', [token])).toBe('open')
  })

  test('share one watch while it has room, and use one object per client after that', async () => {
    const tokens = newTokens(10)
    await open('one', tokens)
    await open('two', tokens)
    expect([...watches.keys()]).toEqual([`mainnet:${address}`])
    for (let i = 0; i < 9; i += 1) await open('stranger', newTokens(maxTokens))
    expect([...watches.keys()]).toEqual([`mainnet:${address}`, `mainnet:${address}:stranger`])
  })
})

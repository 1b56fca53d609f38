import type { Address } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { type BalanceStreams, createBalanceWatch } from './createBalanceWatch.ts'
import type { AccountHolding } from './findAccountBalances.ts'

const account: Address = `0x${'aa'.repeat(20)}`
const [one, two, three]: Address[] = ['01', '02', '03'].map((byte): Address => `0x${byte.repeat(20)}`)
if (!one || !two || !three) throw new Error('no tokens')

let now: number
let alarm: number | undefined
let alarmsSet: number
let head: bigint
let balances: Map<Address, bigint>
let reverting: Set<Address>
let isDown: boolean
/** tokens of each read, by their first digits */
let reads: string[]
/** delays the response of a read */
let hold: Promise<void>
let left: number
let watch: BalanceStreams

const limits = { streamsPerAccount: 3, tokensPerAccount: 3, lifetimeMs: 60_000, pollMs: 5_000 }

beforeEach(() => {
  now = 1_000_000
  alarm = undefined
  alarmsSet = 0
  head = 100n
  balances = new Map([one, two, three].map((token, i) => [token, BigInt(i + 1)]))
  reverting = new Set()
  isDown = false
  reads = []
  hold = Promise.resolve()
  left = 0
  watch = create()
})

const create = (tokensPerAccount = limits.tokensPerAccount) =>
  createBalanceWatch({
    account: { chainId: 1, address: account },
    limits: { ...limits, tokensPerAccount },
    findHead: async () => {
      if (isDown) throw new Error('down')
      return head
    },
    findBalances: async (tokens) => {
      reads.push(tokens.map((token) => token.slice(2, 4)).join())
      await hold
      return tokens.map((address): AccountHolding => {
        const isReverting = reverting.has(address)
        const balance = isReverting ? undefined : balances.get(address)
        return { token: { address }, balance, allowance: 0n, fault: isReverting ? 'reverted' : undefined }
      })
    },
    setAlarm: (at) => {
      alarm = at
      alarmsSet += 1
    },
    now: () => now,
    random: () => 0.5,
    log: () => undefined,
  })

type Heard = { text: () => string; names: () => string[]; last: () => { id: string; data: object }; leave: () => void }

const join = (tokens: Address[], lastEventId?: string): Heard => {
  const body = watch.join({ tokens, lastEventId, leave: () => (left += 1) })
  if (!(body instanceof ReadableStream)) throw new Error(`refused: ${body.limit} ${body.max}`)
  return hear(body)
}

const hear = (body: ReadableStream<Uint8Array>): Heard => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const pump = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value)
    text += '[end]'
  }
  pump().catch(() => (text += '[dropped]'))
  const blocks = () => text.split('\n\n').filter((block) => block.startsWith('id: '))
  return {
    text: () => text,
    names: () => blocks().map((block) => /event: (\w+)/.exec(block)?.[1] ?? ''),
    last: () => {
      const [id = '', , data = ''] = (blocks().at(-1) ?? '').split('\n')
      return { id: id.slice('id: '.length), data: JSON.parse(data.slice('data: '.length)) }
    },
    leave: () => void reader.cancel(),
  }
}

/** Runs the alarm, and waits until all written events have arrived. */
const tick = async () => {
  now = Math.max(now, alarm ?? now)
  alarm = undefined
  await watch.tick()
  await arrive()
}
const arrive = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('a balance watch', () => {
  test('reads all tokens of all listeners together, once per block', async () => {
    const heard = [join([one]), join([two]), join([one, two])]
    await tick()
    await tick()
    expect(reads).toEqual(['01,02'])
    head += 1n
    await tick()
    expect(reads).toEqual(['01,02', '01,02'])
    for (const { names } of heard) expect(names()).toEqual(['initial_balances'])
  })

  test('reads tokens of a new listener at once, known tokens not again', async () => {
    join([one])
    await tick()
    const late = join([one, two])
    expect(alarm).toBe(now)
    await tick()
    expect(reads).toEqual(['01', '02'])
    expect(late.names()).toEqual(['initial_balances'])
    expect(join([two]).names()).toEqual([])
    await arrive()
    expect(reads).toHaveLength(2)
  })

  test('reads for a listener that joins during a read as soon as that read ends', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = promise
    join([one])
    const reading = tick()
    const late = join([two])
    resolve()
    await reading
    expect(alarm).toBe(now)
    await tick()
    expect(late.names()).toEqual(['initial_balances'])
  })

  test('reads nothing from a node that is behind the last one', async () => {
    const heard = join([one])
    await tick()
    head -= 1n
    balances.set(one, 0n)
    await tick()
    expect(reads).toHaveLength(1)
    expect(heard.names()).toEqual(['initial_balances'])
  })

  test('reads a reverting token in a call of its own, with its last balance and without blocking others', async () => {
    const heard = join([one, two])
    await tick()
    reverting.add(two)
    for (let i = 0; i < 2; i++) {
      head += 1n
      await tick()
    }
    expect(reads).toEqual(['01,02', '01,02', '01', '02'])
    expect(heard.names()).toEqual(['initial_balances'])
    reverting.clear()
    balances.set(two, 9n)
    head += 1n
    await tick()
    expect(heard.last().data).toMatchObject({ tokenAddress: two, oldBalance: '2', newBalance: '9' })
  })

  test('reads at most eight reverting tokens per block, each in its turn', async () => {
    const tokens = Array.from({ length: 10 }, (_, i): Address => `0x${`${10 + i}`.repeat(20)}`)
    watch = create(tokens.length)
    reverting = new Set(tokens)
    join(tokens)
    await tick()
    reads = []
    for (let i = 0; i < 2; i++) {
      head += 1n
      await tick()
    }
    const [first, second] = [reads.slice(0, 8), reads.slice(8)]
    expect(first).toEqual(['10', '11', '12', '13', '14', '15', '16', '17'])
    expect(second).toEqual(['18', '19', '10', '11', '12', '13', '14', '15'])
  })
})

describe('events', () => {
  test('each change is sent to the listeners of its token', async () => {
    const [of1, of12] = [join([one]), join([one, two])]
    await tick()
    expect(of12.last().data).toEqual({
      balances: [
        { token: { address: one }, balance: '1', allowance: '0' },
        { token: { address: two }, balance: '2', allowance: '0' },
      ],
    })
    balances.set(two, 5n)
    head += 1n
    await tick()
    expect(of1.names()).toEqual(['initial_balances'])
    expect(of12.names()).toEqual(['initial_balances', 'balance_update'])
    expect(of12.last().data).toEqual({
      type: 'balance_change',
      chainId: 1,
      timestamp: now,
      userAddress: account,
      tokenAddress: two,
      oldBalance: '2',
      newBalance: '5',
    })
    expect(of12.text()).toMatch(/^retry: \d+\n\n/)
  })

  test('every event has an id; a ping comes every 15 to 20 seconds', async () => {
    const heard = join([one])
    const started = now
    await tick()
    while (now - started < 45_000) await tick()
    expect(heard.names()).toEqual(['initial_balances', 'ping', 'ping', 'ping'])
    expect(heard.text().match(/^id: \S+$/gm)).toHaveLength(4)
  })

  test('a node that fails at first is one error event; then the balances follow', async () => {
    isDown = true
    const heard = join([one])
    for (let i = 0; i < 2; i++) await tick()
    expect(heard.names()).toEqual(['error'])
    isDown = false
    await tick()
    expect(heard.names()).toEqual(['error', 'initial_balances'])
  })

  test('no client gets balances that may be outdated because the node fails', async () => {
    const first = join([one])
    await tick()
    isDown = true
    await tick()
    const late = join([one])
    await tick()
    expect(late.names()).toEqual(['error'])
    expect(first.names()).toEqual(['initial_balances'])
    isDown = false
    await tick()
    expect(late.names()).toEqual(['error', 'initial_balances'])
  })
})

describe('a client that reconnects', () => {
  const listenAndLeave = async (tokens: Address[]) => {
    const heard = join(tokens)
    await tick()
    heard.leave()
    return heard.last().id
  }
  const change = (token: Address, balance: bigint) => {
    balances.set(token, balance)
    head += 1n
  }

  test('gets the changes since then, also when there was no listener meanwhile', async () => {
    const id = await listenAndLeave([one, two])
    change(two, 7n)
    const heard = join([one, two], id)
    await tick()
    expect(heard.names()).toEqual(['balance_update'])
    expect(heard.last().data).toMatchObject({ tokenAddress: two, oldBalance: '2', newBalance: '7' })

    const again = join([one, two], heard.last().id)
    change(one, 8n)
    await tick()
    expect(again.last().data).toMatchObject({ tokenAddress: one, newBalance: '8' })
    expect(again.names()).toHaveLength(1)
  })

  test('gets each of several changes since its position, in sequence', async () => {
    join([one, two])
    const id = await listenAndLeave([one, two])
    change(two, 7n)
    balances.set(one, 6n)
    await tick()
    const heard = join([one, two], id)
    await arrive()
    expect(heard.names()).toEqual(['balance_update', 'balance_update'])
    const firstId = /id: (\S+)/.exec(heard.text())?.[1]
    const rest = join([one, two], firstId)
    await arrive()
    expect(rest.names()).toEqual(['balance_update'])
    expect(rest.last()).toEqual(heard.last())
  })

  test('gets no event when nothing has changed', async () => {
    const heard = join([one], await listenAndLeave([one]))
    await tick()
    expect(heard.names()).toEqual([])
  })

  test.each<[string, (id: string) => [Address[], string]]>([
    ['a malformed id', () => [[one], 'x']],
    ['an id for other tokens', (id) => [[one, two], id]],
    ['an id from the future', (id) => [[one], id.replace(/\d+$/, '99')]],
    ['an id from before a restart', (id) => [[one], id.replace(/^\w/, (char) => (char === 'a' ? 'b' : 'a'))]],
    ['an id before the balances', () => [[one], '0']],
  ])('%s: gets all balances', async (_, build) => {
    const [tokens, id] = build(await listenAndLeave([one]))
    const heard = join(tokens, id)
    await tick()
    expect(heard.names()).toEqual(['initial_balances'])
  })

  test('does not lose its position by an error', async () => {
    const id = await listenAndLeave([one])
    isDown = true
    const heard = join([one], id)
    await tick()
    expect(heard.names()).toEqual(['error'])
    expect(heard.last().id).toBe(id)
  })
})

describe('a stream', () => {
  test('leaves no alarm behind when the last listener leaves', async () => {
    const heard = [join([one]), join([two])]
    await tick()
    heard[0]?.leave()
    expect(alarm).toBeDefined()
    heard[1]?.leave()
    expect(alarm).toBeUndefined()
    const before = alarmsSet
    await tick()
    expect({ alarmsSet, left }).toEqual({ alarmsSet: before, left: 2 })
  })

  test('leaves no alarm behind when its client leaves during the first read', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = promise
    const heard = join([one])
    const reading = tick()
    heard.leave()
    expect(alarm).toBeUndefined()
    resolve()
    await reading
    expect({ alarm, left }).toEqual({ alarm: undefined, left: 1 })
  })

  test('is closed cleanly at the end of its lifetime', async () => {
    const heard = join([one])
    const started = now
    while (left === 0) await tick()
    expect(heard.text()).toMatch(/\[end\]$/)
    expect(now - started).toBeGreaterThanOrEqual(limits.lifetimeMs)
    expect(now - started).toBeLessThanOrEqual(1.1 * limits.lifetimeMs + limits.pollMs)
    expect(alarm).toBeUndefined()
  })

  test('is dropped when its client reads nothing for long', async () => {
    const body = watch.join({ tokens: [one], lastEventId: undefined, leave: () => (left += 1) })
    for (let i = 0; i < 6; i++) await tick()
    expect(left).toBe(0)
    for (let i = 0; i < 2; i++) await tick()
    expect({ left, alarm }).toEqual({ left: 1, alarm: undefined })
    await expect((body as ReadableStream).getReader().read()).rejects.toThrow('too slowly')
  })
})

test('limits the listeners and the different tokens of a watch', async () => {
  const heard = [join([one]), join([one, two]), join([one])]
  const request = { lastEventId: undefined, leave: () => undefined }
  expect(watch.join({ ...request, tokens: [one] })).toEqual({ limit: 'streamsPerAccount', max: 3 })
  heard[0]?.leave()
  expect(watch.join({ ...request, tokens: [three, account] })).toEqual({ limit: 'tokensPerAccount', max: 3 })
  heard[1]?.leave()
  expect(watch.join({ ...request, tokens: [three, account] })).toBeInstanceOf(ReadableStream)
})

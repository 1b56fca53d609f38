import { type Address, type Hex, pad } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { createTestLog } from '#test/helpers/streams/createTestLog.ts'
import type { StreamTopic } from './answerWithStream.ts'
import { createEventFeed, type EventStreams } from './createEventFeed.ts'

const owner: Address = `0x${'aa'.repeat(20)}`
const user: Address = `0x${'bb'.repeat(20)}`
const uidOf = (digit: string): Hex => `0x${digit.repeat(112)}`
const [one, two] = [uidOf('1'), uidOf('2')]

let now: number
let alarm: number | undefined
let log: ReturnType<typeof createTestLog>
let isDown: boolean
let isTooFar: boolean
/** database queries, by their first letter */
let asked: string
/** runs while the database reads */
let meanwhile: () => void
let left: number
let feed: EventStreams

const limits = { streamsPerTopic: 3, lifetimeMs: 60_000, pollMs: 500 }

beforeEach(() => {
  now = 1_800_000_000_000
  alarm = undefined
  log = createTestLog(owner, () => now)
  isDown = false
  isTooFar = false
  asked = ''
  meanwhile = () => undefined
  left = 0
  feed = create()
})

const ask = async <T>(letter: string, answer: () => T): Promise<T> => {
  asked += letter
  if (isDown) throw new Error('down')
  const found = answer()
  meanwhile()
  return found
}

const create = () =>
  createEventFeed({
    limits,
    findHorizon: () => ask('h', log.horizon),
    findNew: (after) => ask('n', () => log.listNew(after)),
    findMissed: (topic, after) =>
      ask('m', () =>
        isTooFar
          ? { events: [], isComplete: false, horizon: log.horizon() }
          : { events: log.listOf(topic, after), isComplete: true, horizon: log.horizon() },
      ),
    findSnapshot: () => Promise.reject(new Error('streams have none')),
    findPrices: () => Promise.reject(new Error('streams have none')),
    balances: {
      findHead: () => Promise.reject(new Error('streams have none')),
      findHoldings: () => Promise.reject(new Error('streams have none')),
      findOpenTokens: () => Promise.reject(new Error('streams have none')),
      pollMs: 500,
    },
    setAlarm: (at) => {
      alarm = at
    },
    now: () => now,
    random: () => 0.5,
    log: () => undefined,
  })

const write: typeof log.write = (...args) => log.write(...args)

type Heard = {
  text: () => string
  events: () => { id: string | undefined; name: string; data: Record<string, unknown> }[]
  leave: () => void
}

const join = (topic: StreamTopic, lastEventId?: string): Heard => {
  const body = feed.join({ topic, client: 'client', lastEventId, leave: () => (left += 1) })
  if (!(body instanceof ReadableStream)) throw new Error(`refused: ${body.limit} ${body.max}`)
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  const pump = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value)
    text += '[end]'
  }
  pump().catch(() => (text += '[dropped]'))
  return {
    text: () => text,
    events: () =>
      text.split('\n\n').flatMap((block) => {
        const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
        return fields.event ? [{ id: fields.id, name: fields.event, data: JSON.parse(fields.data) }] : []
      }),
    leave: () => void reader.cancel(),
  }
}
const tellings = (heard: Heard) => heard.events().map(({ name, data }) => (name === 'order' ? data.label : name))
const lastId = (heard: Heard) => heard.events().findLast(({ id }) => id !== undefined)?.id

/** Runs the alarm, and waits until all written events have arrived. */
const tick = async () => {
  now = Math.max(now, alarm ?? now)
  alarm = undefined
  await feed.tick()
  await new Promise((resolve) => setTimeout(resolve, 0))
}

describe('events', () => {
  test('of an order: all past events, then new ones; none of other orders', async () => {
    write(one, 'created')
    write(two, 'created')
    write(one, 'ready')
    const heard = join({ orderUid: one })
    await tick()
    expect(tellings(heard)).toEqual(['created', 'ready'])
    write(two, 'ready')
    write(one, 'traded')
    await tick()
    expect(tellings(heard)).toEqual(['created', 'ready', 'traded'])
    expect(heard.events().at(-1)).toEqual({
      id: '104-5',
      name: 'order',
      data: {
        id: 5,
        orderUid: one,
        order: {
          ...{ owner, kind: 'sell', sellToken: filledOrder.sellToken, buyToken: filledOrder.buyToken },
          ...{ sellAmount: '1000', buyAmount: '2000', validTo: 2_000_000_000 },
        },
        label: 'traded',
        reason: null,
        timestamp: new Date(now - 500).toISOString(),
        auctionId: 7,
        blockNumber: null,
        data: null,
        status: 'fulfilled',
        executedSellAmount: '1000',
        executedBuyAmount: '2100',
        notifications: [],
      },
    })
  })

  test('state the status of the order at the second of the poll', async () => {
    const validTo = now / 1_000 + 1
    const heard = join({ orderUid: one })
    write(one, 'ready')
    for (const logged of log.events)
      if ('order' in logged) Object.assign(logged.order, { executedSellAmount: 0n, executedBuyAmount: 0n, validTo })
    await tick()
    now += 2_000
    const late = join({ orderUid: one })
    await tick()
    const statusOf = ({ events }: Heard) => events().map(({ data }) => data.status)
    expect([statusOf(heard), statusOf(late)]).toEqual([['open'], ['expired']])
  })

  test('of an account: new events of its own orders and of those that a contract placed for it, each once', async () => {
    write(one, 'created')
    const [ofOwner, ofUser] = [join({ account: owner }), join({ account: user })]
    await tick()
    write(one, 'ready')
    write(two, 'created', user)
    write(two, 'ready', owner)
    await tick()
    expect(tellings(ofOwner)).toEqual(['position', 'ready', 'created', 'ready'])
    expect(tellings(ofUser)).toEqual(['position', 'created'])
    expect(ofOwner.events()[0]).toEqual({ id: '101-0', name: 'position', data: {} })
  })

  test('of an account: also those of its conditional orders, and an order has none of them', async () => {
    const [ofOwner, ofOrder] = [join({ account: owner }), join({ orderUid: one })]
    await tick()
    const hash = pad('0xab')
    log.writeConditional(hash, 'opened')
    write(one, 'created')
    log.writeConditional(hash, 'ended', 'completed')
    await tick()
    expect(tellings(ofOrder)).toEqual(['created'])
    expect(ofOwner.events().map(({ name }) => name)).toEqual([
      ...['position', 'conditional_order', 'order', 'conditional_order'],
    ])
    expect(ofOwner.events()[3]).toEqual({
      id: '102-3',
      name: 'conditional_order',
      data: {
        ...{ id: 3, owner, hash, label: 'ended', reason: 'completed', timestamp: expect.any(String), blockNumber: 12 },
        ...{ data: null, type: 'twap', state: 'ended' },
      },
    })
    const back = join({ account: owner }, ofOwner.events()[2]?.id)
    await tick()
    expect(tellings(back)).toEqual(['conditional_order'])
  })

  test('reach a listener that joins during a poll exactly once', async () => {
    join({ account: owner })
    await tick()
    let late: Heard | undefined
    meanwhile = () => {
      late ??= join({ orderUid: one })
    }
    write(one, 'created')
    await tick()
    meanwhile = () => {
      meanwhile = () => undefined
      write(one, 'ready')
    }
    await tick()
    await tick()
    write(one, 'traded')
    await tick()
    expect(late && tellings(late)).toEqual(['created', 'ready', 'traded'])
  })

  test('beyond the limit of one poll are read without a pause', async () => {
    const heard = join({ account: owner })
    await tick()
    for (let i = 0; i < 2 * log.pageSize + 1; i++) write(one, 'ready')
    now = alarm ?? now
    const started = now
    for (let i = 0; i < 3; i++) await tick()
    expect(now).toBe(started)
    expect(tellings(heard)).toHaveLength(1 + 2 * log.pageSize + 1)
  })

  test('include a ping every 15 to 20 seconds, which moves the position of its client', async () => {
    const heard = join({ orderUid: one })
    const started = now
    await tick()
    write(two, 'created')
    while (now - started < 45_000) await tick()
    expect(tellings(heard)).toEqual(['ping', 'ping', 'ping'])
    expect(lastId(heard)).toBe('101-0')
    expect(heard.text()).toMatch(/^retry: \d+\n\n/)
  })
})

describe('a client that reconnects', () => {
  test.each<[string, StreamTopic]>([
    ['to an order', { orderUid: one }],
    ['to an account', { account: owner }],
  ])(
    '%s gets the events that it missed, with or without other listeners, also after a restart of the feed',
    async (_, topic) => {
      const heard = join(topic)
      await tick()
      write(one, 'created')
      await tick()
      heard.leave()
      write(one, 'ready')
      write(one, 'traded')
      for (const start of [() => feed, create]) {
        feed = start()
        const back = join(topic, lastId(heard))
        await tick()
        expect(tellings(back)).toEqual(['ready', 'traded'])
      }
    },
  )

  test('between two events of one poll resumes with the second', async () => {
    const heard = join({ orderUid: one })
    await tick()
    write(one, 'created')
    write(one, 'ready')
    await tick()
    const back = join({ orderUid: one }, heard.events()[0]?.id)
    await tick()
    expect(tellings(back)).toEqual(['ready'])
  })

  test('after too many missed events gets a reset, and then new events', async () => {
    const heard = join({ account: owner })
    await tick()
    isTooFar = true
    const back = join({ account: owner }, lastId(heard))
    await tick()
    expect(back.events()).toEqual([{ id: '100-0', name: 'reset', data: { message: expect.any(String) } }])
    write(one, 'created')
    await tick()
    expect(tellings(back)).toEqual(['reset', 'created'])
  })

  test.each(['nonsense', '9999-1'])('with %j, which is not a position of this log, gets a reset', async (id) => {
    write(one, 'created')
    const [ofOrder, ofAccount] = [join({ orderUid: one }, id), join({ account: owner }, id)]
    await tick()
    expect(tellings(ofOrder)).toEqual(['reset', 'created'])
    expect(tellings(ofAccount)).toEqual(['reset'])
    expect(lastId(ofAccount)).toBe('101-0')
  })
})

describe('the database', () => {
  test('is queried once per poll for all listeners, and not at all without listeners', async () => {
    const heard = [one, two, one].map((orderUid) => join({ orderUid }))
    heard.push(join({ account: owner }))
    await tick()
    expect(asked).toBe('hmmhn')
    for (let i = 0; i < 10; i++) await tick()
    expect(asked).toBe(`hmmhn${'n'.repeat(10)}`)
    for (const { leave } of heard) leave()
    expect({ alarm, left }).toEqual({ alarm: undefined, left: 4 })
    await tick()
    expect(asked).toHaveLength(15)
  })

  test('is unavailable: the error moves no listener back behind the events that it received', async () => {
    const heard = join({ orderUid: one })
    await tick()
    write(one, 'created')
    await tick()
    isDown = true
    await tick()
    const [created, error] = heard.events().slice(-2)
    expect([created?.name, error?.name]).toEqual(['order', 'error'])
    isDown = false
    heard.leave()
    const again = join({ orderUid: one }, error?.id)
    await tick()
    expect(tellings(again)).toEqual(['error'])
  })

  test('is unavailable: streams stay open, get one error, and resume at their position', async () => {
    const heard = join({ account: owner })
    await tick()
    isDown = true
    const late = join({ orderUid: one })
    for (let i = 0; i < 3; i++) await tick()
    const later = join({ account: owner })
    write(one, 'created')
    await tick()
    expect(heard.events()).toMatchObject([{ name: 'position' }, { id: '100-0', name: 'error' }])
    isDown = false
    for (let i = 0; i < 2; i++) await tick()
    expect(tellings(heard)).toEqual(['position', 'error', 'created'])
    expect(tellings(late)).toEqual(['error', 'created'])
    expect(tellings(later)).toEqual(['error', 'position'])
  })

  test('is not queried again for events written while there was no listener', async () => {
    const heard = join({ account: owner })
    await tick()
    heard.leave()
    for (let i = 0; i < 10; i++) write(two, 'ready')
    const back = join({ account: owner })
    await tick()
    expect(tellings(back)).toEqual(['position'])
    expect(lastId(back)).toBe('110-0')
  })
})

test('a new stream is served at once and then every poll', async () => {
  join({ orderUid: one })
  expect(alarm).toBe(now)
  await tick()
  expect(alarm).toBe(now + limits.pollMs)
})

test('the listeners of one topic are limited', () => {
  const heard = [1, 2, 3].map(() => join({ orderUid: one }))
  const request = { topic: { orderUid: one }, client: 'client', lastEventId: undefined, leave: () => undefined }
  expect(feed.join(request)).toEqual({ limit: 'streamsPerTopic', max: 3 })
  join({ orderUid: two })
  heard[0]?.leave()
  expect(feed.join(request)).toBeInstanceOf(ReadableStream)
})

test('a poll that ends after the last stream has left does not set the position of the next stream', async () => {
  write(one, 'created')
  const heard = join({ account: owner })
  meanwhile = heard.leave
  await tick()
  meanwhile = () => undefined
  write(one, 'ready')
  const next = join({ account: owner })
  await tick()
  expect(tellings(next)).toEqual(['position'])
  write(one, 'traded')
  await tick()
  expect(tellings(next)).toEqual(['position', 'traded'])
})

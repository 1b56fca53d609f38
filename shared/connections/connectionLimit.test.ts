import { expect, test } from 'vitest'
import { limitInvocations, limitObjects, sendInTurn, withConnectionLimit } from './connectionLimit.ts'

/** Responds on request. */
const createServer = () => {
  const open: (() => void)[] = []
  let asked = 0
  return {
    asked: () => asked,
    respond: async (count = 1) => {
      for (const answer of open.splice(0, count)) answer()
      await new Promise((resolve) => setImmediate(resolve))
    },
    send: () => {
      asked++
      return new Promise<Response>((resolve) => open.push(() => resolve(new Response('ok'))))
    },
  }
}

test('at most six requests of an invocation wait, five of them for others than the database', async () => {
  const [nodes, database] = [createServer(), createServer()]
  await withConnectionLimit(async () => {
    const calls = Array.from({ length: 20 }, () => sendInTurn('other', nodes.send))
    const statements = Array.from({ length: 3 }, () => sendInTurn('database', database.send))
    expect([nodes.asked(), database.asked()]).toEqual([5, 1])
    await database.respond()
    // nodes wait for their turn, statements do not wait for nodes
    expect([nodes.asked(), database.asked()]).toEqual([5, 2])
    await database.respond()
    await database.respond()
    expect([nodes.asked(), database.asked()]).toEqual([5, 3])
    await nodes.respond(2)
    expect(nodes.asked()).toBe(7)
    while (nodes.asked() < 20) await nodes.respond()
    await nodes.respond(5)
    await Promise.all([...calls, ...statements])
  })
})

test('work inside an invocation shares its limit, other invocations have their own', async () => {
  const server = createServer()
  const sendFour = () =>
    withConnectionLimit(() => Promise.all(Array.from({ length: 4 }, () => sendInTurn('other', server.send))))
  const both = withConnectionLimit(() => Promise.all([sendFour(), sendFour()]))
  expect(server.asked()).toBe(5)
  const another = sendFour()
  expect(server.asked()).toBe(9)
  while (server.asked() < 12) await server.respond()
  await server.respond(12)
  await Promise.all([both, another])
})

test('without an invocation nothing waits', async () => {
  const server = createServer()
  const calls = Array.from({ length: 9 }, () => sendInTurn('other', server.send))
  expect(server.asked()).toBe(9)
  await server.respond(9)
  await Promise.all(calls)
})

test('an abandoned request leaves the queue, and a failed one makes room', async () => {
  const server = createServer()
  await withConnectionLimit(async () => {
    const failing = Promise.withResolvers<Response>()
    const failed = sendInTurn('other', () => failing.promise)
    const calls = Array.from({ length: 4 }, () => sendInTurn('other', server.send))
    const patience = new AbortController()
    const givenUp = sendInTurn('other', server.send, patience.signal)
    const last = sendInTurn('other', server.send)
    patience.abort(new Error('too late'))
    await expect(givenUp).rejects.toThrow('too late')
    await expect(sendInTurn('other', server.send, patience.signal)).rejects.toThrow('too late')
    expect(server.asked()).toBe(4)
    failing.reject(new Error('connection refused'))
    await expect(failed).rejects.toThrow('connection refused')
    expect(server.asked()).toBe(5)
    await server.respond(5)
    await Promise.all([...calls, last])
  })
})

test('all methods of one object share its limit for any caller, and another object has its own', async () => {
  const server = createServer()
  class Watch {
    readonly #asked = 4
    static {
      limitObjects(Watch)
    }
    async alarm() {
      // work that continues after the method
      setTimeout(() => void this.#ask(), 0)
      await this.#ask()
    }
    read(count: number) {
      return Promise.all(Array.from({ length: count }, () => sendInTurn('other', server.send)))
    }
    isIdle() {
      return !this.#asked
    }
    #ask = () => this.read(this.#asked)
  }
  const [first, second] = [new Watch(), new Watch()]
  expect(first.isIdle()).toBe(false)
  const calls: Promise<unknown>[] = [first.alarm(), withConnectionLimit(() => first.read(3))]
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(server.asked()).toBe(5)
  calls.push(second.read(2))
  expect(server.asked()).toBe(7)
  while (server.asked() < 13) await server.respond()
  await server.respond(13)
  await Promise.all(calls)
})

test('each invocation of a handler has a limit', async () => {
  const server = createServer()
  const handle = limitInvocations((count: number) =>
    Promise.all(Array.from({ length: count }, () => sendInTurn('other', server.send))),
  )
  const both = [handle(7), handle(2)]
  expect(server.asked()).toBe(7)
  while (server.asked() < 9) await server.respond()
  await server.respond(9)
  await Promise.all(both)
})

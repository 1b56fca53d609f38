import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { requestSolver } from '#shared/solvers/requestSolver.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { auctionHeader, connectThroughObjects, type SolverConnections } from './connectThroughObjects.ts'
import { createForwarder } from './createForwarder.ts'

/** Requests of one invocation, or of one Durable Object, that may wait for response headers; the others queue. */
const platformLimit = 6

/** The platform's limit on what one invocation sends. */
const createInvocation = () => {
  const queue: (() => void)[] = []
  let waiting = 0
  let most = 0
  return {
    most: () => most,
    send: async (call: () => Promise<Response>): Promise<Response> => {
      if (waiting >= platformLimit) await new Promise<void>((resolve) => queue.push(resolve))
      waiting++
      most = Math.max(most, waiting)
      return call().finally(() => {
        waiting--
        queue.shift()?.()
      })
    },
  }
}

/** Signals, requests and listeners hold each other weakly, so a lost one shows only after a collection. */
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

let logged: object[] = []
let now = 0
const pending: Promise<unknown>[] = []
afterEach(async () => {
  await Promise.all(pending.splice(0))
  logged = []
})

/** The platform: objects by name, each with its own limit, called by one invocation with its own. */
const createPlatform = (drivers: readonly Solver[]) => {
  const clock = createInvocation()
  const objects = new Map<string, { fetch: (request: Request) => Promise<Response> }>()
  const create = () => {
    const invocation = createInvocation()
    const limited = drivers.map((driver) => ({
      ...driver,
      fetch: (request: Request) => invocation.send(() => driver.fetch(request)),
    }))
    const background = (work: Promise<unknown>) => pending.push(work)
    const forward = createForwarder({
      solvers: limited,
      now: () => now,
      log: (entry) => logged.push(entry),
      background,
    })
    return { fetch: (request: Request) => clock.send(() => forward(request)) }
  }
  const connections: SolverConnections = {
    getByName: (name) => {
      const object = objects.get(name) ?? create()
      objects.set(name, object)
      return object
    },
  }
  const connect = () => connectThroughObjects(drivers, connections, 'sepolia')
  return { solvers: connect(), connect, clock, objects }
}

const driverOf = (name: string, respond: (request: Request) => Promise<Response>): Solver => ({
  ...{ name, address: `0x${'5a'.repeat(20)}`, baseUrl: `https://${name}.example/api`, timeoutMs: undefined },
  fetch: respond,
})

const ask = (solver: Solver, path = '/solve', timeoutMs = 30_000, auctionId = 1) => {
  const headers = { [auctionHeader]: String(auctionId) }
  return requestSolver(solver, { method: 'POST', path, body: { id: '1' }, headers, timeoutMs }, z.unknown())
}

/** Drivers that respond once all of them have received a request. */
const startBarrier = (count: number) => {
  const all = Promise.withResolvers<void>()
  let asked = 0
  const respond = async () => {
    if (++asked === count) all.resolve()
    await all.promise
    return Response.json({ solutions: [] })
  }
  return { drivers: Array.from({ length: count }, (_, i) => driverOf(`s${i}`, respond)), asked: () => asked, all }
}

describe('thirty drivers that think until the deadline', () => {
  test('all responses of thirty drivers that think until the deadline count', async () => {
    const { drivers } = startBarrier(30)
    const { solvers } = createPlatform(drivers)
    const answers = await Promise.all(solvers.map((solver) => ask(solver)))
    expect(answers).toEqual(drivers.map(() => ({ solutions: [] })))
  })

  test('would have to wait for six in one invocation', async () => {
    const { drivers, asked, all } = startBarrier(30)
    const { send, most } = createInvocation()
    const answers = drivers.map((driver) => ask({ ...driver, fetch: (request) => send(() => driver.fetch(request)) }))
    await new Promise((resolve) => setImmediate(resolve))
    expect([asked(), most()]).toEqual([6, 6])
    all.resolve()
    await Promise.all(answers)
  })
})

test('the settlements of twenty auctions wait at the same time, beside solutions and prices', async () => {
  const { drivers, all } = startBarrier(22)
  const platform = createPlatform(drivers)
  const { objects } = platform
  const [solver] = platform.solvers as [Solver, ...Solver[]]
  // every tick connects its solvers anew
  const settlements = Array.from({ length: 20 }, (_, auctionId) =>
    ask(platform.connect()[0] as Solver, '/settle', 30_000, auctionId),
  )
  await Promise.all([...settlements, ask(solver), ask(solver, '/quote?kind=buy')])
  await all.promise
  expect([...objects.keys()].map((name) => name.replace('sepolia s0 ', '')).toSorted()).toEqual([
    ...['quote', 'settle 0', 'settle 1', 'settle 2', 'settle 3', 'solve'],
  ])
})

test('passes the request on as it is, and the status and body of the response', async () => {
  const seen: unknown[] = []
  const driver = driverOf('s', async (request) => {
    seen.push([request.url, request.method, await request.text(), Object.fromEntries(request.headers)])
    return Response.json({ kind: 'NoRoute', description: 'none' }, { status: 400 })
  })
  const [solver] = createPlatform([driver]).solvers as [Solver]
  await expect(ask(solver)).rejects.toMatchObject({ kind: 'NoRoute', message: 'none' })
  expect(seen).toEqual([
    [
      'https://s.example/api/solve',
      'POST',
      '{"id":"1"}',
      expect.objectContaining({ 'content-type': 'application/json' }),
    ],
  ])
  expect(JSON.stringify(seen)).not.toContain('edgebook')
})

test('a large response arrives in full, and one without a body or with a strange status is a failure of the driver', async () => {
  const solutions = Array.from({ length: 20_000 }, (_, i) => `solution ${i}`)
  const responses: Record<string, Response> = {
    large: Response.json({ solutions }),
    empty: new Response(null, { status: 204 }),
    moved: new Response(null, { status: 302, headers: { Location: 'https://other.example' } }),
    broken: new Response(new ReadableStream({ start: (body) => body.error(new Error('reset')) })),
  }
  const drivers = Object.entries(responses).map(([name, response]) => driverOf(name, async () => response))
  const [large, empty, moved, broken] = createPlatform(drivers).solvers as [Solver, Solver, Solver, Solver]
  expect(await ask(large)).toEqual({ solutions })
  await expect(ask(empty)).rejects.toMatchObject({ kind: 'Garbage', message: 'status 204' })
  await expect(ask(moved)).rejects.toMatchObject({ kind: 'Garbage', status: 302 })
  await expect(ask(broken)).rejects.toMatchObject({ kind: 'Unreachable' })
})

test('a caller that gives up ends the request to the driver, also after a garbage collection', async () => {
  const sent = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const driver = driverOf('s', (request) => {
    // after the driver's request is suspended
    setImmediate(sent.resolve)
    request.signal.addEventListener('abort', () => ended.resolve())
    return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
  })
  const [solver] = createPlatform([driver]).solvers as [Solver]
  const asked = expect(ask(solver, '/solve', 20)).rejects.toMatchObject({ kind: 'Timeout' })
  await sent.promise
  collectGarbage()
  await asked
  await ended.promise
})

test('five requests without a response pause a driver, and one response resumes it', async () => {
  let asked = 0
  let isDown = true
  const driver = driverOf('s', async () => {
    asked++
    if (isDown) throw new TypeError('connection refused')
    return Response.json({ solutions: [] })
  })
  const [solver] = createPlatform([driver]).solvers as [Solver]
  now = 1_700_000_000_000
  for (let i = 0; i < 5; i++) await expect(ask(solver)).rejects.toMatchObject({ kind: 'Unreachable' })
  await expect(ask(solver)).rejects.toMatchObject({
    kind: 'Paused',
    message: '5 requests in a row had no response; the next is sent after 2023-11-14T22:13:25.000Z',
  })
  expect(asked).toBe(5)
  // settlements are sent anyway
  await expect(ask(solver, '/settle')).rejects.toMatchObject({ kind: 'Unreachable' })
  isDown = false
  now += 5_000
  expect(await ask(solver)).toEqual({ solutions: [] })
  expect(await ask(solver)).toEqual({ solutions: [] })
  expect(asked).toBe(8)
  expect(logged).toEqual([
    { message: 'solver paused', solver: 's', failures: 5, until: '2023-11-14T22:13:25.000Z' },
    { message: 'solver resumed', solver: 's' },
  ])
})

test('five bodies that do not end in time pause a driver, and five that are too long do not', async () => {
  const blank = new Uint8Array(2 ** 20).fill(32)
  const endless = driverOf('s', async () => {
    return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(blank) }))
  })
  const stalled = driverOf('s', async (request) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"solutions":['))
        request.signal.addEventListener('abort', () => controller.error(request.signal.reason))
      },
    })
    return new Response(body)
  })
  const [slow] = createPlatform([stalled]).solvers as [Solver]
  for (let i = 0; i < 5; i++) await expect(ask(slow, '/solve', 20)).rejects.toMatchObject({ kind: 'Timeout' })
  await Promise.all(pending.splice(0))
  await expect(ask(slow)).rejects.toMatchObject({ kind: 'Paused' })
  const [long] = createPlatform([endless]).solvers as [Solver]
  for (let i = 0; i < 6; i++) await expect(ask(long)).rejects.toMatchObject({ kind: 'Garbage' })
})

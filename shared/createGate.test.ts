import { beforeEach, describe, expect, test } from 'vitest'
import { createGate, type Gate } from './createGate.ts'

let now: number
let sleepers: { at: number; wake: () => void }[]
let gate: Gate
let started: string[]

beforeEach(() => {
  now = 0
  sleepers = []
  started = []
  gate = createGate({
    running: 2,
    waiting: 8,
    waitMs: 1_000,
    leaseMs: 5_000,
    now: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ at: now + ms, wake })),
    refuse: () => new Error('busy'),
  })
})

const settle = () => new Promise((resolve) => setImmediate(resolve))

const advance = async (ms: number) => {
  for (const until = now + ms; now < until; ) {
    now += 20
    const due = sleepers.filter(({ at }) => at <= now)
    sleepers = sleepers.filter(({ at }) => at > now)
    for (const { wake } of due) wake()
    await settle()
  }
}

/** A request of a client that runs until `end` is called. */
const enter = (client: string, waitMs?: number) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = () => {
    started.push(client)
    return promise
  }
  const passed = gate.pass(client, work, waitMs)
  const outcome = passed.then(
    () => 'done',
    (error: Error) => error.message,
  )
  return { end: resolve, outcome }
}

describe('a gate', () => {
  test('runs as many requests at once as it has turns, and the next when one ends', async () => {
    const [first] = [enter('a'), enter('b'), enter('c')]
    await advance(100)
    expect(started).toEqual(['a', 'b'])
    first?.end()
    await advance(40)
    expect(started).toEqual(['a', 'b', 'c'])
  })

  test('gives the turn of a request that fails to the next one', async () => {
    await expect(gate.pass('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    enter('b')
    enter('c')
    await settle()
    expect(started).toEqual(['b', 'c'])
  })

  test('lets the only request of a client pass the queue of another client', async () => {
    const running = [enter('greedy'), enter('greedy')]
    enter('greedy')
    enter('greedy')
    enter('greedy')
    enter('modest')
    for (const { end } of running) end()
    await advance(40)
    expect(started.slice(2)).toEqual(['greedy', 'modest'])
  })

  test('refuses a client that has half of the places already, and takes another one', async () => {
    for (let i = 0; i < 6; i += 1) enter('greedy')
    expect(await enter('greedy').outcome).toBe('busy')
    const { end, outcome } = enter('modest', 10_000)
    end()
    await advance(1_100)
    expect(await outcome).toBe('busy')
    expect(started).toEqual(['greedy', 'greedy'])
  })

  test('refuses every client when all places are taken', async () => {
    for (const client of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) enter(client)
    expect(await enter('k').outcome).toBe('busy')
  })

  test('refuses a request that has waited for its time', async () => {
    enter('a')
    enter('b')
    const late = enter('c')
    const hurried = enter('d', 100)
    await advance(120)
    expect(await hurried.outcome).toBe('busy')
    await advance(900)
    expect(await late.outcome).toBe('busy')
    expect(started).toEqual(['a', 'b'])
  })

  test('takes the turn of a running request that never ends after its lease', async () => {
    enter('a')
    enter('b')
    await advance(4_900)
    enter('c')
    await advance(80)
    expect(started).toEqual(['a', 'b'])
    await advance(40)
    expect(started).toEqual(['a', 'b', 'c'])
  })

  test('passes over a waiting request that the runtime has cancelled', async () => {
    const [first] = [enter('a'), enter('b')]
    enter('cancelled')
    await settle()
    sleepers = []
    enter('c')
    first?.end()
    await advance(600)
    expect(started).toEqual(['a', 'b', 'c'])
  })
})

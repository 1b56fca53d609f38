import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Abilities } from './readAbilities.ts'
import { watchAbilities } from './watchAbilities.ts'

const batches = { '0x5': { atomic: { status: 'supported' } } }

let reported: Abilities[] = []
let code: PromiseWithResolvers<unknown>
let capabilities: PromiseWithResolvers<unknown>

/** Abilities of an account whose wallet responds when the test resolves its promises. */
const watch = () =>
  watchAbilities(
    { request: ({ method }) => (method === 'eth_getCode' ? code : capabilities).promise },
    { address: '0x01', chain: '0x5' },
    (abilities) => reported.push(abilities),
  )
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  reported = []
  ;[code, capabilities] = [Promise.withResolvers(), Promise.withResolvers()]
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('reports once, when both responses have arrived', async () => {
  watch()
  capabilities.resolve(batches)
  await settle()
  expect(reported).toEqual([])
  code.resolve('0x')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reported).toEqual([{ isContract: false, hasBatches: true }])
})

test('a refusal counts as a response', async () => {
  watch()
  code.resolve('0x60')
  capabilities.reject(new Error('unknown method'))
  await settle()
  expect(reported).toEqual([{ isContract: true, hasBatches: false }])
})

test('reports the known part after three seconds, and then each late response', async () => {
  watch()
  await vi.advanceTimersByTimeAsync(2_999)
  expect(reported).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(reported).toEqual([{ isContract: false, hasBatches: false }])
  code.resolve('0x60')
  await settle()
  expect(reported.slice(1)).toEqual([{ isContract: true, hasBatches: false }])
  capabilities.resolve(batches)
  await settle()
  expect(reported.slice(2)).toEqual([{ isContract: true, hasBatches: true }])
})

test('reports nothing once ended', async () => {
  const end = watch()
  end()
  code.resolve('0x')
  capabilities.resolve(batches)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(reported).toEqual([])
})

import { expect, test } from 'vitest'
import { computeFreshness, staleMs } from './computeFreshness.ts'

test('a status is stale when no new one arrives in time, and offline when a request fails', () => {
  const at = 1_000_000
  expect(computeFreshness(at, false, at + staleMs)).toBe('current')
  expect(computeFreshness(at, false, at + staleMs + 1)).toBe('stale')
  expect(computeFreshness(at, true, at)).toBe('offline')
})

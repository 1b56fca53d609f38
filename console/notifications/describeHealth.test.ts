import { expect, test } from 'vitest'
import { describeHealth, type Subscription } from './describeHealth.ts'

const well: Subscription['health'] = {
  ...{ failures: 0, failingSince: null, lastDeliveredAt: null, pausedAt: null, pauseReason: null },
}
const describe = (health: Partial<Subscription['health']> = {}, confirmed = true) =>
  describeHealth({ channel: 'email', confirmed, health: { ...well, ...health } })

test('a subscription is ready, then delivering', () => {
  expect(describe()).toEqual({ tone: 'ok', label: 'Ready', note: null })
  expect(describe({ lastDeliveredAt: '2026-01-01T00:00:00Z' }).label).toBe('Delivering')
})

test('a missing confirmation comes before all others', () => {
  expect(describe({ failures: 3 }, false)).toMatchObject({ label: 'Not confirmed', tone: 'act' })
})

test('a pause has its reason, and failures their number', () => {
  const pausedAt = '2026-01-01T00:00:00Z'
  expect(describe({ failures: 3, pausedAt, pauseReason: 'responded with 410' })).toEqual({
    ...{ tone: 'error', label: 'Paused', note: 'responded with 410.' },
  })
  expect(describe({ failures: 1 }).note).toContain('1 delivery failed')
  expect(describe({ failures: 2 }).note).toContain('2 deliveries failed')
})

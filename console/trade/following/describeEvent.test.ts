import { expect, test } from 'vitest'
import { describeEvent } from './describeEvent.ts'

const event = { label: 'ready', reason: null, auctionId: null, status: 'open', data: null } as const

test('describeEvent', () => {
  expect(describeEvent({ ...event, auctionId: 7 })).toBe('It takes part in the next auction (auction 7)')
  expect(describeEvent({ ...event, label: 'filtered', reason: 'out_of_market' })).toMatch(/come to its price/)
  const failed = { ...event, label: 'filtered', reason: 'settlement_failed' } as const
  expect(describeEvent({ ...failed, data: { failures: 2, nextBlock: 123 } })).toBe(
    'Settlement reverted twice; next attempt at block 123',
  )
  expect(describeEvent(failed)).toBe('It waits: its settlement failed')
  expect(describeEvent({ ...event, label: 'filtered', reason: 'something_new' })).toMatch(/auctions exclude it/)
  expect(describeEvent({ ...event, label: 'traded', status: 'fulfilled' })).toBe('It was filled on the chain')
  expect(describeEvent({ ...event, label: 'traded' })).toMatch(/part/)
  expect(describeEvent({ ...event, label: 'undone', data: { label: 'traded' } })).toMatch(/: traded$/)
})

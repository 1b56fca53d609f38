import { expect, test } from 'vitest'
import { describeEvent } from './describeEvent.ts'

const event = { label: 'ready', reason: null, auctionId: null, status: 'open', data: null } as const

test('describes each event of an order in one line', () => {
  expect(describeEvent({ ...event, auctionId: 7 })).toBe('Entered the auctions (auction 7)')
  expect(describeEvent({ ...event, label: 'filtered', reason: 'out_of_market' })).toMatch(/^Waiting for price$/)
  const failed = { ...event, label: 'filtered', reason: 'settlement_failed' } as const
  expect(describeEvent({ ...failed, data: { failures: 2, nextBlock: 123 } })).toBe(
    'Settlement reverted twice; next attempt at block 123',
  )
  expect(describeEvent(failed)).toBe('Waiting: its settlement failed')
  expect(describeEvent({ ...event, label: 'filtered', reason: 'something_new' })).toMatch(/excluded from the auctions/)
  expect(describeEvent({ ...event, label: 'traded', status: 'fulfilled' })).toBe('Filled')
  expect(describeEvent({ ...event, label: 'traded' })).toBe('Partially filled')
  expect(describeEvent({ ...event, label: 'undone', data: { label: 'traded' } })).toMatch(/: traded$/)
})

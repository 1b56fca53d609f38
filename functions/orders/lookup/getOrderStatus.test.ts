import { describe, expect, test } from 'vitest'
import type { OrderProgress } from '#schema/queries/events/orderEvents.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { computeProgressType } from './computeProgressType.ts'
import { getOrderStatus } from './getOrderStatus.ts'

const solver = `0x${'5'.repeat(40)}` as const
const progress: OrderProgress = {
  newestEvent: 'executing',
  exclusion: null,
  traded: false,
  order: {
    ...filledOrder,
    chainId: 1,
    jitBlock: null,
    referrerCode: null,
    admissionMs: null,
    submittedBy: null,
    executedSellAmount: 0n,
    executedBuyAmount: 0n,
  },
  solutions: [
    { solver, executed: null },
    { solver, executed: { sell: 10n, buy: 20n } },
  ],
}

const get = (stored: OrderProgress | undefined, ifNoneMatch = '', now = 0) =>
  getOrderStatus({ now: () => 1_000 * now, selectOrderProgress: async () => stored }).request(
    `/api/v1/orders/${filledOrder.uid}/status`,
    { headers: { 'If-None-Match': ifNoneMatch } },
  )

test('with a competition: what each solution does for the order', async () => {
  const response = await get(progress)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    type: 'executing',
    value: [
      { solver, executedAmounts: null },
      { solver, executedAmounts: { sell: '10', buy: '20' } },
    ],
  })
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
  expect((await get(progress, response.headers.get('ETag') ?? '')).status).toBe(304)
})

test('before a competition there is no value; a final state is cached', async () => {
  const response = await get({ ...progress, newestEvent: 'cancelled', order: { ...progress.order, invalidated: true } })
  expect(await response.json()).toEqual({ type: 'cancelled' })
  expect(response.headers.get('Cache-Control')).toMatch('max-age=60')
})

test('after a failed settlement: how often it failed and when the next attempt is', async () => {
  const exclusion = { reason: 'settlement_failed', data: { failures: 2, lastBlock: 121, nextBlock: 123 } }
  const waiting = { ...progress, newestEvent: 'filtered', exclusion } as const
  expect(await (await get(waiting)).json()).toEqual({
    type: 'open',
    message: 'Settlement reverted twice; next attempt at block 123.',
  })
  const other = { ...waiting, exclusion: { ...exclusion, reason: 'dust_order' } }
  expect(await (await get(other)).json()).toEqual({ type: 'open' })
  expect(await (await get({ ...waiting, exclusion: { reason: 'settlement_failed', data: null } })).json()).toEqual({
    type: 'open',
  })
})

test('an expired order keeps its last step; a cancelled one that was settled all the same is traded', async () => {
  const now = filledOrder.validTo + 601
  const expired = await get({ ...progress, newestEvent: 'filtered' }, '', now)
  expect(await expired.json()).toEqual({ type: 'open' })
  expect(expired.headers.get('Cache-Control')).toMatch('max-age=60')
  const cancelledAt = new Date()
  const settled = await get({
    ...progress,
    newestEvent: 'cancelled',
    traded: true,
    order: { ...progress.order, cancelledAt },
  })
  expect(await settled.json()).toMatchObject({ type: 'traded', value: [{ solver }, { solver }] })
})

test.each([undefined, { ...progress, newestEvent: null }])('an unknown order is 404', async (stored) => {
  const response = await get(stored)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ errorType: 'NotFound', description: 'order status not found' })
})

describe('type', () => {
  test.each([
    ['created', 'scheduled'],
    ['ready', 'active'],
    ['filtered', 'open'],
    ['invalid', 'open'],
    ['considered', 'solved'],
    ['executing', 'executing'],
    ['traded', 'traded'],
    ['cancelled', 'cancelled'],
  ] as const)('newest event %s → %s', (label, type) => expect(computeProgressType(label, false)).toBe(type))

  test('a trade takes precedence over every event', () => expect(computeProgressType('ready', true)).toBe('traded'))
})

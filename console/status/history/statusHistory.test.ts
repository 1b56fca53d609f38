import { expect, test } from 'vitest'
import type { NetworkStatus } from '../alarms/networkStatus.ts'
import { addSample, type Sample, updateSince } from './statusHistory.ts'

const status = (newestAgeSeconds: number, openOrders = 1) =>
  ({
    state: 'ok',
    auctions: { newestAgeSeconds, openOrders },
    indexer: { lagBlocks: 2, lagSeconds: 24 },
  }) as NetworkStatus

test('retains a quarter of an hour, each sample once, with gaps where the page was hidden', () => {
  let samples: Sample[] = []
  for (const time of [1_000, 1_005, 1_005, 1_004]) samples = addSample(samples, status(time - 1_000), time)
  expect(samples).toEqual([
    { time: 1_000, auctionAgeSeconds: 0, lagBlocks: 2, lagSeconds: 24 },
    { time: 1_005, auctionAgeSeconds: 5, lagBlocks: 2, lagSeconds: 24 },
  ])
  samples = addSample(samples, { state: 'unavailable' }, 1_010)
  samples = addSample(samples, status(7, 0), 1_100)
  const none = { auctionAgeSeconds: null, lagBlocks: null, lagSeconds: null }
  expect(samples.slice(2)).toEqual([
    { time: 1_010, ...none },
    { time: 1_011, ...none },
    { time: 1_100, ...none, lagBlocks: 2, lagSeconds: 24 },
  ])
  expect(addSample(samples, status(7), 1_000 + 15 * 60).map(({ time }) => time)).toEqual([
    1_005, 1_010, 1_011, 1_100, 1_101, 1_900,
  ])
})

test('a limit is exceeded since it was first seen, and removed when it no longer is', () => {
  let since = updateSince({}, ['a'], 10)
  since = updateSince(since, ['a', 'b'], 20)
  expect(since).toEqual({ a: 10, b: 20 })
  expect(updateSince(since, ['b'], 30)).toEqual({ b: 20 })
  expect(updateSince(updateSince(since, [], 30), ['a'], 40)).toEqual({ a: 40 })
})

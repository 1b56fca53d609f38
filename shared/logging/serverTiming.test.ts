import { expect, test } from 'vitest'
import { readServerTiming, toServerTimingHeader } from './serverTiming.ts'

test('reads back the round trips and milliseconds that it wrote', () => {
  const spans = new Map([
    ['rpc', { count: 1, milliseconds: 3 }],
    ['db', { count: 2, milliseconds: 55.5 }],
  ])
  expect(readServerTiming(toServerTimingHeader(spans))).toEqual(spans)
})

test.each([null, '', 'cfExtPri', 'cache;desc=HIT, total;dur=12'])('finds no round trips in %j', (header) => {
  expect(readServerTiming(header)).toEqual(new Map())
})

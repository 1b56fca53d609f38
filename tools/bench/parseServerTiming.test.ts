import { expect, test } from 'vitest'
import { parseServerTiming } from './parseServerTiming.ts'

test('reads round trips and milliseconds of each dependency', () => {
  expect(parseServerTiming('rpc;dur=3.0;desc="1", db;dur=55.5;desc="2"')).toEqual({
    rpc: { count: 1, milliseconds: 3 },
    db: { count: 2, milliseconds: 55.5 },
  })
})

test.each([null, ''])('nothing was asked for when the header is %j', (header) => {
  expect(parseServerTiming(header)).toEqual({})
})

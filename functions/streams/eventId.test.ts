import { expect, test } from 'vitest'
import { isAfter, readEventId, toEventId } from './eventId.ts'

test.each([
  { writtenBy: 0n, id: 0 },
  { writtenBy: 9_223_372_036_854_775_807n, id: 123_456_789_012_345 },
])('an id encodes its position: %o', (position) => {
  expect(readEventId(toEventId(position))).toEqual(position)
})

test.each(['', '7', '7-', '-7', '7-8-9', '7-x', ' 7-8', '7-8\n', '99999999999999999999-1', '1-9999999999999999'])(
  '%j is malformed',
  (text) => {
    expect(readEventId(text)).toBeUndefined()
  },
)

test.each([
  [7n, 5, 7n, 4, true],
  [7n, 5, 7n, 5, false],
  [8n, 0, 7n, 9, true],
  [7n, 9, 8n, 0, false],
])('%d-%d is after %d-%d: %j', (writtenBy, id, otherWriter, otherId, expected) => {
  expect(isAfter({ writtenBy, id }, { writtenBy: otherWriter, id: otherId })).toBe(expected)
})

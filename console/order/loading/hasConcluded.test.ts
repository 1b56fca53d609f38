import { expect, test } from 'vitest'
import { sampleOrder, start } from '../../testing/sampleOrder.ts'
import { hasConcluded } from './hasConcluded.ts'

const created = { label: 'created' } as const
const expired = { label: 'expired' } as const
const validTo = start / 1_000

test.each([
  ['open', [created], 0, false],
  ['presignaturePending', [created], 0, false],
  ['fulfilled', [created], 0, true],
  ['cancelled', undefined, 0, true],
  ['expired', [created], 1, false],
  ['expired', undefined, 1, false],
  ['expired', [created, expired], 1, true],
  ['expired', [created], 300, false],
  ['expired', [created], 301, true],
  ['expired', undefined, 301, true],
] as const)('%s with the log %j, %i s after the last second, has concluded: %s', (status, log, seconds, expected) => {
  expect(hasConcluded(sampleOrder({ status, validTo }), log, (validTo + seconds) * 1_000)).toBe(expected)
})

test('an order placed with ether expires after the validity that its user signed', () => {
  const order = sampleOrder({
    status: 'expired',
    validTo: 2 ** 32 - 1,
    ethflowData: { userValidTo: validTo, refundTxHash: null, isRefunded: false },
  })
  expect(hasConcluded(order, [created], start + 1_000)).toBe(false)
  expect(hasConcluded(order, [created], start + 301_000)).toBe(true)
})

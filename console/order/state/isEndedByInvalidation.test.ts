import { expect, test } from 'vitest'
import { sampleOrder } from '../../testing/sampleOrder.ts'
import { isEndedByInvalidation } from './isEndedByInvalidation.ts'

const onchainUser = `0x${'12'.repeat(20)}`

test.each([
  [{ signingScheme: 'presign', status: 'presignaturePending' }, true],
  [{ signingScheme: 'presign', status: 'open' }, true],
  [{ signingScheme: 'eip1271', status: 'open' }, true],
  [{ signingScheme: 'eip1271', status: 'open', onchainUser }, false],
  [{ signingScheme: 'eip712', status: 'open' }, false],
  [{ signingScheme: 'ethsign', status: 'open' }, false],
  [{ signingScheme: 'presign', status: 'cancelled' }, false],
  [{ signingScheme: 'presign', status: 'expired' }, false],
  [{ signingScheme: 'presign', status: 'fulfilled' }, false],
] as const)('an invalidation alone ends %j: %s', (changes, expected) => {
  expect(isEndedByInvalidation(sampleOrder(changes))).toBe(expected)
})

import { expect, test } from 'vitest'
import { toBpsText } from './toBpsText.ts'

test.each([
  [200n, '2'],
  [30n, '0.3'],
  [2n, '0.02'],
  [10_000n, '100'],
  [0n, '0'],
  [999_999n, '9999.99'],
])('%s millionths are %s bps', (ppm, bps) => {
  expect(toBpsText(ppm)).toBe(bps)
})

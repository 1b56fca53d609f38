import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { computeVolumeFeePpm, toBpsText, volumeFeeSettings } from './volumeFee.ts'

const [usd, euro, ether]: Address[] = [1, 2, 3].map((digit): Address => `0x${String(digit).repeat(40)}`)
const settings = z.object(volumeFeeSettings)

test.each([
  ['2', 200n, '2'],
  ['0.3', 30n, '0.3'],
  ['0.02', 2n, '0.02'],
  ['100', 10_000n, '100'],
  ['0', 0n, '0'],
  ['9999.99', 999_999n, '9999.99'],
])('%s bps are %s millionths and %s in the response', (text, ppm, bps) => {
  expect(settings.parse({ VOLUME_FEE_BPS: text }).VOLUME_FEE_BPS).toBe(ppm)
  expect(toBpsText(ppm)).toBe(bps)
})

test.each(['10000', '-1', '0.001', '1e2', '', '2%'])('%j is no fee', (text) => {
  expect(settings.safeParse({ VOLUME_FEE_BPS: text }).success).toBe(false)
})

test('the first bucket with both tokens replaces the share, and may make it nothing', () => {
  const parsed = settings.parse({
    VOLUME_FEE_BPS: '2',
    VOLUME_FEE_FROM: '1000',
    VOLUME_FEE_BUCKETS: JSON.stringify([
      { tokens: [usd, euro], bps: '0' },
      { tokens: [usd, euro, ether], bps: '1' },
    ]),
  })
  const fee = { ppm: parsed.VOLUME_FEE_BPS, from: parsed.VOLUME_FEE_FROM, buckets: parsed.VOLUME_FEE_BUCKETS }
  const of = (sellToken = usd, buyToken = euro, now = 1000) =>
    computeVolumeFeePpm(fee, { sellToken: sellToken ?? '0x', buyToken: buyToken ?? '0x' }, now)
  expect(of(usd, euro)).toBe(0n)
  expect(of(ether, usd)).toBe(100n)
  expect(of(ether, '0x4444444444444444444444444444444444444444')).toBe(200n)
  expect(of(usd, euro, 999)).toBeUndefined()
  expect(computeVolumeFeePpm({ ...fee, ppm: undefined }, { sellToken: '0x', buyToken: '0x' }, 1000)).toBeUndefined()
  expect(settings.safeParse({ VOLUME_FEE_BUCKETS: '[{"tokens":[]}]' }).success).toBe(false)
  expect(settings.safeParse({ VOLUME_FEE_BUCKETS: 'x' }).success).toBe(false)
})

import { expect, test } from 'vitest'
import { computeSubmitter } from './computeSubmitter.ts'

test('names a client by 16 bytes that differ by client and by secret', () => {
  const [client, other] = ['203.0.113.7', '203.0.113.8']
  const name = computeSubmitter('secret', client)
  expect(name).toMatch(/^0x[0-9a-f]{32}$/)
  expect(computeSubmitter('secret', client)).toBe(name)
  expect(new Set([name, computeSubmitter('secret', other), computeSubmitter('another', client)]).size).toBe(3)
})

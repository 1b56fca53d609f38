import { expect, test } from 'vitest'
import { buildWrapping } from './wrapping.ts'

const weth = `0x${'0e'.repeat(20)}`

test('wrapping pays the amount to the wrapped token', () => {
  expect(buildWrapping('wrap', weth, 5n)).toEqual({ to: weth, data: '0xd0e30db0', value: 5n })
})

test('unwrapping names the amount and pays nothing', () => {
  expect(buildWrapping('unwrap', weth, 5n)).toEqual({
    to: weth,
    data: `0x2e1a7d4d${'5'.padStart(64, '0')}`,
    value: 0n,
  })
})

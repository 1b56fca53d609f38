import { maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { computeApproval, encodeApproval } from './approval.ts'

test('approves the exact amount of a sell order and a margin above that of a buy order', () => {
  expect(computeApproval('trade', 'sell', 1_000n)).toBe(1_000n)
  expect(computeApproval('trade', 'buy', 1_000n)).toBe(1_050n)
  expect(computeApproval('unlimited', 'buy', 1_000n)).toBe(maxUint256)
})

test('encodes a call of approve(address,uint256)', () => {
  expect(encodeApproval(`0x${'c9'.repeat(20)}`, 5n)).toBe(
    `0x095ea7b3${'00'.repeat(12)}${'c9'.repeat(20)}${'00'.repeat(31)}05`,
  )
})

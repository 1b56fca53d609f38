import { expect, test } from 'vitest'
import { applyUpdate, toBalances } from './balances.ts'

const token = `0x${'ab'.repeat(20)}`
const initial = toBalances({
  balances: [
    { token: { address: token }, balance: '5', allowance: '7' },
    { token: { address: `0x${'cd'.repeat(20)}` }, balance: '0', allowance: '0', error: 'the token contract reverts' },
  ],
})

test('amounts that a token does not return are unknown, not zero', () => {
  expect([...initial]).toEqual([[token, { balance: 5n, allowance: 7n }]])
})

test('each update changes one amount', () => {
  const moved = applyUpdate(initial, { type: 'balance_change', tokenAddress: token, newBalance: '9' })
  expect(moved.get(token)).toEqual({ balance: 9n, allowance: 7n })
  const approved = applyUpdate(moved, {
    type: 'allowance_change',
    tokenAddress: token.toUpperCase(),
    newAllowance: '1',
  })
  expect(approved.get(token)).toEqual({ balance: 9n, allowance: 1n })
  expect(initial.get(token)).toEqual({ balance: 5n, allowance: 7n })
})

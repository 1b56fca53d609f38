import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { createLedger } from './createLedger.ts'
import type { AccountHolding } from './findAccountBalances.ts'

const token: Address = `0x${'01'.repeat(20)}`
const tokens = new Set([token])

const holding = (balance: bigint | undefined, allowance: bigint | undefined = 0n): AccountHolding => ({
  token: { address: token },
  balance,
  allowance,
  fault: balance === undefined ? 'reverted' : undefined,
})

test('the first holding is not a change, a different amount is', () => {
  const ledger = createLedger(10)
  expect(ledger.record([holding(1n)], 5)).toEqual([])
  const facts = { tokenAddress: token, timestamp: 6 }
  expect(ledger.record([holding(2n, 3n)], 6)).toEqual([
    { ...facts, sequence: 1, amount: 'balance', before: 1n, after: 2n },
    { ...facts, sequence: 2, amount: 'allowance', before: 0n, after: 3n },
  ])
  expect(ledger.record([holding(2n, 3n)], 7)).toEqual([])
})

test('an amount that was unknown at first counts as zero', () => {
  const ledger = createLedger(10)
  ledger.record([holding(undefined)], 5)
  expect(ledger.record([holding(1n)], 6)).toMatchObject([{ amount: 'balance', before: 0n, after: 1n }])
})

test('missing amounts and missing token details leave the known ones unchanged', () => {
  const ledger = createLedger(10)
  ledger.record([{ ...holding(4n), token: { address: token, symbol: 'ONE' } }], 5)
  expect(ledger.record([holding(undefined)], 6)).toEqual([])
  expect(ledger.find([token])).toEqual([
    { token: { address: token, symbol: 'ONE' }, balance: 4n, allowance: 0n, fault: 'reverted' },
  ])
})

test('finds the changes since a position, as far back as they are retained', () => {
  const ledger = createLedger(3)
  for (let balance = 0n; balance <= 5n; balance++) ledger.record([holding(balance)], 1)
  expect(ledger.sequence()).toBe(5)
  expect(ledger.findSince(3, tokens)?.map(({ sequence }) => sequence)).toEqual([4, 5])
  expect(ledger.findSince(2, tokens)).toHaveLength(3)
  expect(ledger.findSince(1, tokens)).toBeUndefined()
  expect(ledger.findSince(5, tokens)).toEqual([])
  expect(ledger.findSince(6, tokens)).toBeUndefined()
  expect(ledger.findSince(3, new Set())).toEqual([])
})

import { expect, test } from 'vitest'
import { sampleDraft } from '../../testing/sampleDraft.ts'
import { describeAmount } from './describeAmount.ts'
import { describeAction, describeOrder } from './describeOrder.ts'

const signed = { sellAmount: 1_500_000_000_000_000_000n, buyAmount: 4_400_123_456n }

test('shows an amount of an unknown token in atoms', () => {
  expect(describeAmount(undefined, 1_000n)).toBe('1000 atoms')
})

test('describes a sell order', () => {
  const draft = sampleDraft({ amount: signed.sellAmount })
  expect(describeAction(draft)).toBe('Swap 1.5 WETH')
  expect(describeOrder(draft, signed)).toEqual([
    'You sell exactly 1.5 WETH.',
    'You receive at least 4,400.1234 USDC, after all fees.',
    'Fill or kill: no partial fills.',
    'Valid for 30 minutes. You can cancel it before.',
  ])
})

test('describes a partially fillable limit order to buy for another receiver', () => {
  const receiver = `0x${'0a'.repeat(20)}`
  const other = sampleDraft({
    kind: 'buy',
    type: 'limit',
    amount: 4_400_000_000n,
    receiver,
    isPartiallyFillable: true,
    validFor: 604_800,
  })
  expect(describeAction(other)).toBe('Limit buy 4,400 USDC')
  expect(describeOrder(other, { ...signed, buyAmount: 4_400_000_000n })).toEqual([
    'You buy up to 4,400 USDC.',
    'You pay at most 1.5 WETH for all of it, including all fees.',
    'Partial fills are allowed, each at this price or better.',
    'Valid for 1 week. You can cancel it before.',
    `USDC goes to ${receiver}, not to you.`,
  ])
})

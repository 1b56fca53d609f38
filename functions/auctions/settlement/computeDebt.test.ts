import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { computeDebt } from './computeDebt.ts'

const [sellToken, buyToken]: [Address, Address] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`]
const ether = 10n ** 18n
/** One sell atom is worth 3 wei, one buy atom 2 wei. */
const prices = { [sellToken]: String(3n * ether), [buyToken]: String(2n * ether) }
const amounts = (sellAmount: number, buyAmount: number) => ({ sellAmount: `${sellAmount}`, buyAmount: `${buyAmount}` })
const find = (promised: ReturnType<typeof amounts> | null, settled: ReturnType<typeof amounts>, of = prices) =>
  computeDebt({ promised, settled }, { sellToken, buyToken }, of)

test.each([
  ['less bought', amounts(100, 200), amounts(100, 190), 20n],
  ['more sold for the same', amounts(100, 200), amounts(110, 200), 40n],
  ['half of it at a worse rate', amounts(100, 200), amounts(50, 90), 20n],
  ['half of it at the promised rate', amounts(100, 200), amounts(50, 100), 0n],
  ['nothing', amounts(100, 200), amounts(0, 0), 0n],
  ['more than promised', amounts(100, 200), amounts(100, 201), 0n],
  ['an order that the solution lacks, below the market', null, amounts(100, 140), 20n],
  ['an order that the solution lacks, above the market', null, amounts(100, 151), 0n],
])('the debt of a settlement with %s is the value of the missing buy tokens', (_, promised, settled, debt) => {
  expect(find(promised, settled)).toBe(debt)
})

test('nothing is owed without a price, and a missing atom is rounded up to a wei', () => {
  expect(find(amounts(100, 200), amounts(100, 190), {})).toBe(0n)
  expect(find(null, amounts(100, 1), { [buyToken]: '1' })).toBe(0n)
  expect(find(amounts(100, 200), amounts(100, 199), { [buyToken]: '1' })).toBe(1n)
})

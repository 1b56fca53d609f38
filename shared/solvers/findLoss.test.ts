import { type Address, type Hex, pad } from 'viem'
import { expect, test } from 'vitest'
import { nativeSentinel } from '../networks.ts'
import { type DecidedSolution, describeLoss, findLoss } from './findLoss.ts'

const [weth, usdc, dai, loser, first, second] = [1, 2, 3, 4, 5, 6].map((n) => pad(`0x${n}`, { size: 20 })) as [
  ...[Address, Address, Address, Address, Address, Address],
]
const uidOf = (n: number): Hex => pad(`0x${n}`, { size: 56 })
const decided = (
  solver: Address,
  score: bigint,
  orders: [number, Address, Address][],
  filteredOut = false,
): DecidedSolution => ({
  ...{ solver, score, filteredOut, isWinner: solver !== loser },
  orders: new Map(orders.map(([n, sellToken, buyToken]) => [uidOf(n), { sellToken, buyToken }])),
})
const find = (solution: DecidedSolution, ...winners: DecidedSolution[]) => findLoss(solution, winners, weth)

test('a loss names the winner with the same order before one of the same pair', () => {
  const lost = decided(loser, 5n, [[1, usdc, dai]])
  const winners = [decided(first, 9n, [[2, usdc, dai]]), decided(second, 7n, [[1, usdc, dai]])]
  expect(find(lost, ...winners)).toEqual({ kind: 'order', solver: second, by: 2n })
  expect(find(lost, winners[0] as DecidedSolution)).toEqual({ kind: 'pair', solver: first, by: 4n })
})

test('a winner with a higher score is named before one with a lower score', () => {
  const lost = decided(loser, 8n, [[1, usdc, dai]])
  const winners = [decided(first, 9n, [[2, usdc, dai]]), decided(second, 7n, [[1, usdc, dai]])]
  expect(find(lost, ...winners)).toEqual({ kind: 'pair', solver: first, by: 1n })
  expect(find(lost, winners[1] as DecidedSolution)).toEqual({ kind: 'order', solver: second, by: -1n })
})

test('the native token and its wrapped form are one side of a pair, the other direction is another pair', () => {
  const lost = decided(loser, 5n, [[1, usdc, nativeSentinel]])
  expect(find(lost, decided(first, 9n, [[2, usdc, weth]]))).toMatchObject({ kind: 'pair', solver: first })
  expect(find(lost, decided(first, 9n, [[2, weth, usdc]]))).toEqual({ kind: 'limit' })
})

test('an unfair solution and one without a rival name no winner', () => {
  const winner = decided(first, 9n, [[1, usdc, dai]])
  expect(find(decided(loser, 5n, [[1, usdc, dai]], true), winner)).toEqual({ kind: 'unfair' })
  expect(find(decided(loser, 5n, [[2, dai, weth]]), winner)).toEqual({ kind: 'limit' })
})

test('the sentence has the winner and the difference in wei', () => {
  expect(describeLoss({ kind: 'order', solver: first, by: 12n })).toContain(`${first} won`)
  expect(describeLoss({ kind: 'order', solver: first, by: 12n })).toContain('12 wei')
})

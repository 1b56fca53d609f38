import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { compareBalances, computeOwed, computePayouts } from './computeOwed.ts'

const of = (byte: string): Address => `0x${byte.repeat(20)}`
const [token, other, partner, solver, treasury] = ['a1', 'a2', 'b1', 'c1', 'd1'].map(of) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const recorded = [
  { party: 'partner', account: partner, token, amount: 30n },
  { party: 'protocol', account: null, token, amount: 70n },
  { party: 'solver', account: solver, token, amount: 11n },
  { party: 'partner', account: partner, token: other, amount: 5n },
] as const

test('payments count for their recipient, all others for the protocol', () => {
  const owed = computeOwed(recorded, [
    { to: partner, token, amount: 10n },
    { to: treasury, token, amount: 60n },
    { to: treasury, token: other, amount: 1n },
  ])
  expect(owed.map(({ party, token: of, paid }) => [party, of, paid])).toEqual([
    ['partner', token, 10n],
    ['protocol', token, 60n],
    ['solver', token, 0n],
    ['partner', other, 0n],
    ['protocol', other, 1n],
  ])
})

test('a balance equals what is owed to the atom, or the report says why not', () => {
  const owed = computeOwed(recorded, [{ to: treasury, token, amount: 70n }])
  const compare = (balance: bigint) => compareBalances(owed, new Map([[token, balance]]))[0]
  expect(compare(41n)).toMatchObject({ owed: 41n, difference: 0n, why: 'equal' })
  expect(compare(42n)).toMatchObject({ difference: 1n, why: expect.stringMatching(/^more/) })
  expect(compare(0n)).toMatchObject({ difference: -41n, why: expect.stringMatching(/^less/) })
})

test('partners are paid in full before the protocol, solvers not at all, and nothing twice', () => {
  const owed = computeOwed(recorded, [{ to: partner, token, amount: 10n }])
  const pay = (balance: bigint) => computePayouts(owed, new Map([[token, balance]]), treasury)
  const toPartner = { to: partner, token, amount: 20n }
  expect(pay(1_000n)).toEqual({ payouts: [toPartner, { to: treasury, token, amount: 70n }], uncovered: [] })
  expect(pay(25n)).toEqual({ payouts: [toPartner, { to: treasury, token, amount: 5n }], uncovered: [] })
  expect(pay(19n)).toEqual({ payouts: [], uncovered: [token] })
})

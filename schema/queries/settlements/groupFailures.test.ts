import type { Address, Hex } from 'viem'
import { expect, it } from 'vitest'
import { groupFailures } from './groupFailures.ts'

const [account, stranger, contract, solver, rival] = ['01', '02', '03', 'a1', 'a2'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address, Address, Address]
const uidOf = (order: number): Hex => `0x${String(order).padStart(112, '0')}`
const orderOf = (order: number, owner = account, onchainUser: Address | null = null) => ({
  uid: uidOf(order),
  owner,
  onchainUser,
})
/** An order that reverted `reverts` times, the last time in `block`. */
const row = (order: number, block: number, { reverts = 1, by = solver, of = account, hasSettled = true } = {}) => ({
  orderUid: uidOf(order),
  account: of,
  solver: by,
  failures: Math.max(reverts, 1),
  reverts,
  lastOutcome: 'x',
  lastBlock: block,
  lastRevertBlock: reverts > 0 ? block : null,
  hasSettled,
})

it('counts the failures of an order with all solvers', () => {
  const find = groupFailures([row(1, 5, { reverts: 2 }), row(1, 9, { by: rival })])
  expect(find(orderOf(1))).toMatchObject({ failures: 3, lastBlock: 9, ofAccount: false })
  expect(find(orderOf(2, stranger))).toBeNull()
})

it('counts silence for the solver and not for the order', () => {
  const found = groupFailures([row(1, 5, { reverts: 0 })])(orderOf(1))
  expect(found).toMatchObject({ failures: 0, lastBlock: 0 })
  expect(found?.bySolver.get(solver)).toMatchObject({ failures: 1, reverts: 0, lastBlock: 5 })
})

it('delays a new order of an account with successive failing orders, by their number', () => {
  const find = groupFailures([row(1, 5), row(2, 7, { by: rival }), row(3, 9)])
  expect(find(orderOf(4))).toEqual({ failures: 3, lastBlock: 9, ofAccount: true, bySolver: new Map() })
  expect(find(orderOf(1))).toMatchObject({ failures: 2, lastBlock: 9, ofAccount: true })
  expect(find(orderOf(4, stranger))).toBeNull()
})

it("waits from an order's own failure when it is newer than those of its account", () => {
  const find = groupFailures([row(1, 5), row(2, 7, { by: rival }), row(3, 9)])
  expect(find(orderOf(3))).toMatchObject({ failures: 2, lastBlock: 9, ofAccount: true })
})

it('does not delay an order for one other failing order, nor for several that failed in the same block', () => {
  expect(groupFailures([row(1, 5, { reverts: 7 })])(orderOf(4))).toBeNull()
  expect(groupFailures([row(1, 5), row(2, 5, { by: rival }), row(3, 5)])(orderOf(4))).toBeNull()
  const silent = [row(1, 5, { reverts: 0 }), row(2, 6, { reverts: 0 }), row(3, 7, { reverts: 0 })]
  expect(groupFailures(silent)(orderOf(4))).toBeNull()
})

it("does not delay an account's orders for failures reported by a single solver", () => {
  expect(groupFailures([row(1, 5), row(2, 7), row(3, 9)])(orderOf(4))).toBeNull()
})

it("does not delay an account's orders for failures of solvers that never settle, but the failed ones", () => {
  const find = groupFailures([
    row(1, 5),
    row(2, 7, { by: rival, hasSettled: false }),
    row(3, 9, { by: rival, hasSettled: false }),
  ])
  expect(find(orderOf(4))).toBeNull()
  expect(find(orderOf(3))).toMatchObject({ failures: 1, lastBlock: 9, ofAccount: false })
})

it('separates the users of one contract', () => {
  const find = groupFailures([row(1, 5), row(2, 7, { by: rival })])
  expect(find(orderOf(4, contract, account))).toMatchObject({ failures: 2, ofAccount: true })
  expect(find(orderOf(4, contract, stranger))).toBeNull()
})

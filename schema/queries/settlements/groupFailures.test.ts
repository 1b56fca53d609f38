import type { Address, Hex } from 'viem'
import { expect, it } from 'vitest'
import { groupFailures } from './groupFailures.ts'

const [solver, rival] = ['a1', 'a2'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address]
const uidOf = (order: number): Hex => `0x${String(order).padStart(112, '0')}`
/** An order because of which `reverts` settlements failed, the last one in `block`. */
const row = (order: number, block: number, { reverts = 1, by = solver } = {}) => ({
  orderUid: uidOf(order),
  solver: by,
  failures: Math.max(reverts, 1),
  reverts,
  faults: reverts > 0 ? 0 : 1,
  lastOutcome: 'x',
  lastBlock: block,
  lastRevertBlock: reverts > 0 ? block : null,
})

it('counts the failures for which an order is to blame, over all solvers', () => {
  const find = groupFailures([row(1, 5, { reverts: 2 }), row(1, 9, { by: rival })])
  expect(find({ uid: uidOf(1) })).toMatchObject({ failures: 3, lastBlock: 9 })
  expect(find({ uid: uidOf(2) })).toBeNull()
})

it('counts other failures for the solver and not for the order', () => {
  const found = groupFailures([row(1, 5, { reverts: 0 })])({ uid: uidOf(1) })
  expect(found).toMatchObject({ failures: 0, lastBlock: 0 })
  expect(found?.bySolver.get(solver)).toMatchObject({ failures: 1, reverts: 0, faults: 1, lastBlock: 5 })
})

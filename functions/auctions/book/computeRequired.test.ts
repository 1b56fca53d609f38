import { expect, test } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { computeRequired } from './computeRequired.ts'

const { owner, sellToken, buyToken } = filledOrder
const loan = { liquidityProvider: owner, protocolAdapter: owner, receiver: owner, token: sellToken, amount: 400n }
const wrapper = { address: owner, data: '0x', isOmittable: false } as const
/** Sells 1000 atoms. */
const candidate = (funding: Candidate['funding'], feeAmount = 0n): Candidate => ({
  order: { ...filledOrder, feeAmount },
  quote: null,
  funding,
  inFlight: false,
  sellInFlight: 0n,
  entered: false,
  newestLabel: null,
  newestReason: null,
  settlementFailures: null,
})

test.each<[string, Candidate['funding'], bigint | undefined, string[]]>([
  ['nothing without a loan or a wrapper', null, 0n, []],
  ['a loan that the owner cannot do without', { flashloan: loan, wrappers: [] }, 999n, ['flashloans']],
  ['a loan of an owner whose funds are not known', { flashloan: loan, wrappers: [] }, undefined, ['flashloans']],
  ['no loan that the owner can do without', { flashloan: loan, wrappers: [] }, 1000n, []],
  ['no loan of another token', { flashloan: { ...loan, token: buyToken }, wrappers: [] }, 0n, []],
  ['a wrapper', { flashloan: null, wrappers: [{ ...wrapper, isOmittable: true }, wrapper] }, 1000n, ['wrappers']],
  ['no wrapper that may be left out', { flashloan: null, wrappers: [{ ...wrapper, isOmittable: true }] }, 1000n, []],
  ['a loan and a wrapper', { flashloan: loan, wrappers: [wrapper] }, 0n, ['flashloans', 'wrappers']],
])('requires %s', (_, funding, balance, expected) => {
  expect(computeRequired(candidate(funding), balance)).toEqual(expected)
})

test('requires a driver that encodes a signed fee', () => {
  expect(computeRequired(candidate(null, 1n), 1000n)).toEqual(['signedFees'])
  const funding = { flashloan: null, wrappers: [wrapper] }
  expect(computeRequired(candidate(funding, 1n), 1000n)).toEqual(['signedFees', 'wrappers'])
})

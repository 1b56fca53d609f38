import { expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import type { ParsedAppData } from '../../appData/parseAppData.ts'
import { computeRequiredFeatures } from './requiredFeatures.ts'

const { owner, sellToken, buyToken } = filledOrder
const loan = { liquidityProvider: owner, protocolAdapter: owner, receiver: owner, token: sellToken, amount: 400n }
const wrapper = { address: owner, data: '0x', isOmittable: false } as const
type Funding = Pick<ParsedAppData, 'flashloan' | 'wrappers'> | null

/** Of an order that sells 1000 atoms. */
const compute = (funding: Funding, balance: bigint | undefined, feeAmount = 0n) =>
  computeRequiredFeatures({ ...filledOrder, feeAmount }, funding, balance)

test.each<[string, Funding, bigint | undefined, string[]]>([
  ['nothing without a loan or a wrapper', null, 0n, []],
  ['a loan that the owner cannot do without', { flashloan: loan, wrappers: [] }, 999n, ['flashloans']],
  ['a loan of an owner whose funds are not known', { flashloan: loan, wrappers: [] }, undefined, ['flashloans']],
  ['no loan that the owner can do without', { flashloan: loan, wrappers: [] }, 1000n, []],
  ['no loan of another token', { flashloan: { ...loan, token: buyToken }, wrappers: [] }, 0n, []],
  ['a wrapper', { flashloan: null, wrappers: [{ ...wrapper, isOmittable: true }, wrapper] }, 1000n, ['wrappers']],
  ['no wrapper that may be left out', { flashloan: null, wrappers: [{ ...wrapper, isOmittable: true }] }, 1000n, []],
  ['a loan and a wrapper', { flashloan: loan, wrappers: [wrapper] }, 0n, ['flashloans', 'wrappers']],
])('requires %s', (_, funding, balance, expected) => {
  expect(compute(funding, balance)).toEqual(expected)
})

test('requires a driver that encodes a signed fee', () => {
  expect(compute(null, 1000n, 1n)).toEqual(['signedFees'])
  const funding = { flashloan: null, wrappers: [wrapper] }
  expect(compute(funding, 1000n, 1n)).toEqual(['signedFees', 'wrappers'])
})

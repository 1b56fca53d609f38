import type { Address } from 'viem'
import { expect, expectTypeOf, test } from 'vitest'
import type { computeBalance, computeDust } from './computeFunding.ts'
import { computePermission, computeSignature } from './computePermission.ts'
import type { computePrice } from './computePrice.ts'
import { computeExpiry, computeSettlement, computeTime } from './computeStanding.ts'
import { computeExclusion, computeFindings, type VerdictFacts } from './computeVerdict.ts'

const owner: Address = `0x${'0a'.repeat(20)}`
const order = {
  owner,
  receiver: null,
  onchainUser: null,
  partnerFees: [],
  validFrom: null,
  validTo: 1_600,
  userValidTo: null,
  signingScheme: 'eip712' as const,
}
const now = 1_000

test('some checks are computed in their order from the facts that they read', () => {
  const findings = computeFindings([computeExpiry, computeTime, computePermission], {
    order,
    now,
    minValiditySeconds: 60,
    admission: null,
    rules: { bannedUsers: new Set([owner]) },
  })
  expect(findings.map(({ check, status }) => [check, status])).toEqual([
    ['expiry', 'pass'],
    ['time', 'pass'],
    ['permission', 'fail'],
  ])
})

test('the first check that fails excludes an order', () => {
  const facts = { order, now: 1_599, minValiditySeconds: 60, rules: { bannedUsers: new Set([owner]) } }
  expect(computeExclusion([computeExpiry, computePermission], facts)?.reason).toBe('InsufficientValidTo')
  expect(computeExclusion([computePermission, computeExpiry], facts)?.reason).toBe('Forbidden')
})

test('a fact that a check lacks, or that no check reads, does not compile', () => {
  // checked by `npm run types`, never called
  const refused = () => [
    // @ts-expect-error the time is missing
    computeFindings([computeExpiry], { order, minValiditySeconds: 60 }),
    // @ts-expect-error the time is missing for one of two checks
    computeFindings([computePermission, computeTime], { order, admission: null, rules: { bannedUsers: new Set() } }),
    // @ts-expect-error no look-up of the signature is stated
    computeFindings([computeSignature], { order, chain: { filledAmount: undefined } }),
    // @ts-expect-error no check reads the time, so that it is invented
    computeFindings([computeSettlement], { failures: null, block: 1, now: 0 }),
    // @ts-expect-error no check reads the gas, so that it is invented
    computeFindings([computePermission], { order, rules: { bannedUsers: new Set(), maxGas: 0n } }),
    // @ts-expect-error no check reads the native prices
    computeExclusion([computeExpiry], { order, now, minValiditySeconds: 60, prices: { sellPrice: 1n, buyPrice: 1n } }),
  ]
  expect(refused).toBeTypeOf('function')
})

test('facts of several checks are the intersection of what each of them reads', () => {
  type Facts = Parameters<typeof computeFindings<readonly [typeof computeBalance, typeof computePrice]>>[1]
  expectTypeOf<Facts['rules']>().toEqualTypeOf<{ outOfMarketBps: number }>()
  expectTypeOf<Facts>().toHaveProperty('contracts')
  expectTypeOf<Facts>().not.toHaveProperty('now')
  expectTypeOf<VerdictFacts>().toExtend<Facts>()
  expectTypeOf<VerdictFacts>().toExtend<Parameters<typeof computeDust>[0]>()
})

import type { Address } from 'viem'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { computeBalance, computeDust } from './computeFunding.ts'
import { computePermission, computeSignature } from './computePermission.ts'
import type { computePrice } from './computePrice.ts'
import { computeExpiry, computeSettlement, computeTime } from './computeStanding.ts'
import { computeExclusion, computeFindings, computeVerdict, type VerdictFacts } from './computeVerdict.ts'
import { toNewOrder } from './toNewOrder.ts'
import type { ChainFacts } from './verdictFacts.ts'

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

describe('an order that a contract judges by the block', () => {
  const [sellToken, buyToken, target]: Address[] = ['b1', 'b2', 'b3'].map((byte): Address => `0x${byte.repeat(20)}`)
  const chain: ChainFacts = {
    ...{ block: 7, funds: { balance: 5n, allowance: 5n }, hooksRan: true, revertingHook: undefined, isSigned: true },
    ...{ hasContract: true, filledAmount: 0n, payout: { paid: true } },
    transfers: [{ amount: 5n, moved: true, received: 5n, revert: undefined }],
  }
  const creation = { sellToken, buyToken, sellAmount: 5n, buyAmount: 1n, feeAmount: 0n, kind: 'sell', receiver: null }
  const terms = { ...creation, validTo: 1_600, partiallyFillable: false, signingScheme: 'eip1271' } as never
  /** Checks that do not pass, with their evidence. */
  const judge = (first: Partial<ChainFacts>, second: Partial<ChainFacts>) =>
    computeVerdict({
      ...{ order: toNewOrder(terms, owner, null), admission: null, now, minValiditySeconds: 60, inFlight: false },
      rules: { bannedUsers: new Set(), unsupportedTokens: new Set(), pauses: null, maxGas: 9n, ...market },
      contracts: { settlementContract: owner, vaultRelayer: owner, wrappedNative: owner },
      ...{ appData: { hooks: { pre: [], post: [] }, wrappers: [], flashloan: null }, failures: null, block: 7 },
      ...{ tokenFault: undefined, prices: { sellPrice: 1n, buyPrice: 1n }, executable: undefined },
      ...{ chain: { ...chain, ...first }, chainAfter: { ...chain, block: 8, ...second } },
    } as never).flatMap((finding) => (finding.status === 'fail' ? [finding] : []))
  const market = { outOfMarketBps: 0, solverFeatures: [] }

  test.each<[string, Partial<ChainFacts>, string]>([
    ['a signature', { isSigned: false }, 'InvalidEip1271Signature'],
    ['a balance', { funds: { balance: 4n, allowance: 5n } }, 'InsufficientBalance'],
    ['an allowance', { funds: { balance: 5n, allowance: 4n } }, 'InsufficientAllowance'],
    [
      'a transfer',
      { transfers: [{ amount: 5n, moved: false, received: 0n, revert: 'closed' }] },
      'TransferSimulationFailed',
    ],
    ['a payout', { payout: { paid: false, revert: 'closed' } }, 'PayoutFails'],
  ])('%s that holds in one of two blocks fails, and its evidence names the other one', (_, failing, reason) => {
    expect(judge({}, {})).toEqual([])
    expect(judge(failing, {})).toMatchObject([{ reason, evidence: { block: 7 } }])
    expect(judge({}, failing)).toMatchObject([{ reason, evidence: { block: 8 } }])
    const [both, ...others] = judge(failing, failing)
    expect([both?.reason, both?.evidence.block, others]).toEqual([reason, undefined, []])
  })

  test('a hook that should bring the funds names the block with its revert', () => {
    const poor = { funds: { balance: 0n, allowance: 5n }, revertingHook: { hook: 0, target: target ?? owner } }
    expect(judge({}, poor).map(({ reason, evidence }) => [reason, evidence.block])).toEqual([
      ['HookReverts', 8],
      ['InsufficientBalance', 8],
    ])
  })
})

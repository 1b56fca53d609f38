import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import {
  computeBalanceExclusion,
  computeFailureExclusion,
  computePriceExclusion,
  computeSignatureExclusion,
  computeStaticExclusion,
  isDoubtful,
} from './exclude.ts'

const settlementContract: Address = `0x${'90'.repeat(20)}`
const vaultRelayer: Address = `0x${'c9'.repeat(20)}`
const { owner, sellToken, buyToken } = filledOrder
const receiving: Address = `0x${'7e'.repeat(20)}`

const candidate = (changes: Partial<Candidate['order']> = {}, inFlight = false): Candidate => ({
  order: { ...filledOrder, executedSellAmount: 0n, executedBuyAmount: 0n, executedFee: 0n, ...changes },
  quote: null,
  funding: null,
  inFlight,
  sellInFlight: 0n,
  entered: false,
  newestLabel: null,
  newestReason: null,
  settlementFailures: null,
})
const now = 1_000
const noRules = { bannedUsers: new Set<Address>(), unsupportedTokens: new Set<Address>() }
const judgeFunds = (changes: Partial<Candidate['order']>, balance: bigint, allowance = balance) =>
  computeBalanceExclusion(
    candidate(changes),
    { settlementContract, vaultRelayer },
    new Map([[`${owner}:${sellToken}`, { balance, allowance }]]),
  )
const excludeByBalance = (...args: Parameters<typeof judgeFunds>) => judgeFunds(...args)?.reason

describe('computeFailureExclusion', () => {
  const [solver, silent]: Address[] = [`0x${'5a'.repeat(20)}`, `0x${'5b'.repeat(20)}`]
  const failed = (failures: number, lastBlock: number): Candidate => {
    const row = {
      failures,
      reverts: failures,
      faults: 0,
      lastOutcome: 'driver failed: x',
      lastBlock,
      lastRevertBlock: lastBlock,
    }
    const timeout = {
      failures: 4,
      reverts: 0,
      faults: 4,
      lastOutcome: 'timeout',
      lastBlock: 900,
      lastRevertBlock: null,
    }
    const bySolver: NonNullable<Candidate['settlementFailures']>['bySolver'] = new Map<
      Address,
      typeof row | typeof timeout
    >([
      [solver as Address, row],
      [silent as Address, timeout],
    ])
    return { ...candidate(), settlementFailures: { failures, lastBlock, bySolver } }
  }
  test('leaves an order out of the block of its failure and of the blocks of its back-off', () => {
    expect(computeFailureExclusion(failed(1, 50), 49)?.reason).toBe('settlement_failed')
    expect(computeFailureExclusion(failed(1, 50), 50)?.reason).toBe('settlement_failed')
    expect(computeFailureExclusion(failed(1, 50), 51)).toBeUndefined()
    expect(computeFailureExclusion(failed(3, 50), 53)).toEqual({
      label: 'filtered',
      reason: 'settlement_failed',
      data: { failures: 3, lastBlock: 50, nextBlock: 54, solvers: [solver] },
    })
    expect(computeFailureExclusion(failed(3, 50), 54)).toBeUndefined()
    expect(computeFailureExclusion(failed(30, 50), 113)?.reason).toBe('settlement_failed')
    expect(computeFailureExclusion(failed(30, 50), 114)).toBeUndefined()
  })

  test('lets an order pass that failed never, or only because solvers were silent', () => {
    expect(computeFailureExclusion(candidate(), 50)).toBeUndefined()
    expect(computeFailureExclusion(failed(0, 0), 0)).toBeUndefined()
  })
})

describe('computeStaticExclusion', () => {
  test('excludes an order in flight', () => {
    expect(computeStaticExclusion(candidate(), noRules, now)).toBeUndefined()
    expect(computeStaticExclusion(candidate({ signingScheme: 'presign' }, true), noRules, now)).toEqual({
      label: 'filtered',
      reason: 'in_flight',
      data: null,
    })
  })

  const receiver: Address = `0x${'7e'.repeat(20)}`
  const onchainUser: Address = `0x${'0c'.repeat(20)}`
  const partner: Address = `0x${'0d'.repeat(20)}`
  test.each([
    ['banned_user', { bannedUsers: new Set([owner]) }, { field: 'from', account: owner }],
    ['banned_user', { bannedUsers: new Set([receiver]) }, { field: 'receiver', account: receiver }],
    ['banned_user', { bannedUsers: new Set([onchainUser]) }, { field: 'onchainUser', account: onchainUser }],
    [
      'banned_user',
      { bannedUsers: new Set([partner]) },
      { field: 'metadata.partnerFee.0.recipient', account: partner },
    ],
    ['unsupported_token', { unsupportedTokens: new Set([sellToken]) }, { field: 'sellToken', token: sellToken }],
    ['unsupported_token', { unsupportedTokens: new Set([buyToken]) }, { field: 'buyToken', token: buyToken }],
  ])('reports %s with the account', (reason, rules, data) => {
    const partnerFees = [{ recipient: partner, kind: 'volume', bps: 1, maxVolumeBps: null } as const]
    const order = candidate({ receiver, onchainUser, partnerFees })
    const exclusion = computeStaticExclusion(order, { ...noRules, ...rules }, now)
    expect(exclusion).toEqual({ label: 'invalid', reason, data })
  })
})

describe('computeSignatureExclusion', () => {
  test('excludes an order without its pre-signature', () => {
    const refused = new Set<never>()
    expect(computeSignatureExclusion(candidate({ signingScheme: 'presign', presigned: true }), refused)).toBeUndefined()
    expect(computeSignatureExclusion(candidate({ signingScheme: 'presign' }), refused)).toEqual({
      label: 'invalid',
      reason: 'invalid_signature',
      data: { signingScheme: 'presign' },
    })
  })

  test('excludes an order whose contract rejects the signature', () => {
    const order = candidate({ signingScheme: 'eip1271' })
    expect(computeSignatureExclusion(order, new Set())).toBeUndefined()
    expect(computeSignatureExclusion(order, new Set([order.order.uid]))).toEqual({
      label: 'invalid',
      reason: 'invalid_signature',
      data: { signingScheme: 'eip1271', contract: owner },
    })
  })
})

describe('computeBalanceExclusion', () => {
  test('requires all of the sell amount and fee of a fill-or-kill order', () => {
    expect(excludeByBalance({ feeAmount: 5n }, 1005n)).toBeUndefined()
    expect(excludeByBalance({ feeAmount: 5n }, 1004n)).toBe('insufficient_balance')
    expect(computeBalanceExclusion(candidate(), { settlementContract, vaultRelayer }, new Map())?.reason).toBe(
      'insufficient_balance',
    )
  })

  test('distinguishes balance from allowance, and states the missing amount', () => {
    expect(judgeFunds({}, 999n, 0n)).toEqual({
      label: 'invalid',
      reason: 'insufficient_balance',
      data: { available: '999', needed: '1000', token: sellToken },
    })
    expect(judgeFunds({}, 1000n, 999n)).toEqual({
      label: 'invalid',
      reason: 'insufficient_allowance',
      data: { available: '999', needed: '1000', token: sellToken, spender: vaultRelayer },
    })
    expect(judgeFunds({}, 1000n, 1000n)).toBeUndefined()
    expect(excludeByBalance({ partiallyFillable: true }, 5n, 0n)).toBe('insufficient_allowance')
    expect(excludeByBalance({ partiallyFillable: true, buyAmount: 500n }, 9999n, 1n)).toBe('dust_order')
    // of 3 atoms the signed fee takes half
    expect(excludeByBalance({ partiallyFillable: true, buyAmount: 500n }, 3n)).toBeUndefined()
    expect(excludeByBalance({ partiallyFillable: true, buyAmount: 500n, feeAmount: 1_000n }, 3n)).toBe('dust_order')
  })

  test('requires a part worth an atom on both sides of a partially fillable order', () => {
    const partiallyFillable = true
    expect(excludeByBalance({ partiallyFillable }, 1n)).toBeUndefined()
    expect(excludeByBalance({ partiallyFillable }, 0n)).toBe('insufficient_balance')
    expect(excludeByBalance({ partiallyFillable, buyAmount: 500n }, 1n)).toBe('dust_order')
    expect(excludeByBalance({ partiallyFillable, buyAmount: 500n }, 2n)).toBeUndefined()
    expect(excludeByBalance({ partiallyFillable, buyAmount: 500n, executedSellAmount: 999n }, 9999n)).toBe('dust_order')
    expect(excludeByBalance({ partiallyFillable, kind: 'buy', executedBuyAmount: 1999n }, 9999n)).toBe('dust_order')
    expect(excludeByBalance({ partiallyFillable, kind: 'buy', executedBuyAmount: 1998n }, 1n)).toBeUndefined()
  })

  const loan = {
    liquidityProvider: receiving,
    protocolAdapter: receiving,
    receiver: owner,
    token: sellToken,
    amount: 400n,
  }
  const judgeFunded = (funding: Candidate['funding'], balance: bigint, allowance = 1_000n) =>
    computeBalanceExclusion(
      { ...candidate(), funding },
      { settlementContract, vaultRelayer },
      new Map([[`${owner}:${sellToken}`, { balance, allowance }]]),
    )?.reason

  test('adds a flash loan of exactly this token to this owner', () => {
    expect(judgeFunded({ flashloan: loan, wrappers: [] }, 600n)).toBeUndefined()
    expect(judgeFunded({ flashloan: loan, wrappers: [] }, 599n)).toBe('insufficient_balance')
    expect(judgeFunded({ flashloan: { ...loan, token: buyToken }, wrappers: [] }, 600n)).toBe('insufficient_balance')
    expect(judgeFunded({ flashloan: { ...loan, receiver: receiving }, wrappers: [] }, 600n)).toBe(
      'insufficient_balance',
    )
    expect(judgeFunded({ flashloan: loan, wrappers: [] }, 600n, 0n)).toBe('insufficient_allowance')
  })

  test('lists orders with wrappers, which may bring what is missing', () => {
    const wrapper = { address: receiving, data: '0x', isOmittable: false } as const
    expect(judgeFunded({ flashloan: null, wrappers: [wrapper] }, 0n, 0n)).toBeUndefined()
  })

  test('skips the funds check for contracts and for funds supplied in the settlement, but excludes dust', () => {
    expect(excludeByBalance({ signingScheme: 'eip1271' }, 0n)).toBeUndefined()
    expect(excludeByBalance({ receiver: settlementContract }, 0n)).toBeUndefined()
    expect(excludeByBalance({ signingScheme: 'eip1271', partiallyFillable: true }, 0n)).toBe('dust_order')
  })
})

describe('computePriceExclusion', () => {
  test('requires prices of both tokens', () => {
    const both = new Map([
      [sellToken, 1n],
      [buyToken, 1n],
    ])
    expect(computePriceExclusion(candidate(), both, 10_000)).toBeUndefined()
    for (const token of [sellToken, buyToken]) {
      const one = new Map(both)
      one.delete(token)
      expect(computePriceExclusion(candidate(), one, 10_000)).toEqual({
        label: 'filtered',
        reason: 'missing_native_price',
        data: { token },
      })
    }
  })
})

describe('computePriceExclusion with an offer', () => {
  const judge = (
    { sellAmount, buyAmount }: { sellAmount: bigint; buyAmount: bigint },
    maxGapBps: number,
    [sellPrice, buyPrice] = [1n, 1n],
  ) => {
    const order = candidate()
    const prices = new Map([
      [sellToken, sellPrice],
      [buyToken, buyPrice],
    ])
    const offers = new Map([[order.order.uid, { sellAmount, buyAmount }]])
    return computePriceExclusion(order, prices, maxGapBps, offers)
  }
  // the order sells 1000 for at least 2000

  test.each([
    ['at the market', { sellAmount: 1n, buyAmount: 2n }, 0],
    ['as far as allowed', { sellAmount: 2n, buyAmount: 3n }, 3_334],
  ])('lets in an order %s', (_, offer, maxGapBps) => {
    expect(judge(offer, maxGapBps)).toBeUndefined()
  })

  test('excludes an order slightly beyond the bound, with both prices', () => {
    expect(judge({ sellAmount: 2n, buyAmount: 3n }, 3_333)).toEqual({
      label: 'filtered',
      reason: 'out_of_market',
      data: { limitPrice: '2', marketPrice: '1.5', gapBps: 3_334, quotedSellAmount: '2', quotedBuyAmount: '3' },
    })
  })

  test.each([
    ['eight times above', [1n, 8n]],
    ['a million times below', [10n ** 6n, 1n]],
  ] as const)('native prices %s the offer exclude no order', (_, prices) => {
    expect(judge({ sellAmount: 1n, buyAmount: 2n }, 0, [...prices])).toBeUndefined()
  })

  test('native prices alone exclude no order', () => {
    const prices = new Map([
      [sellToken, 1n],
      [buyToken, 2n ** 100n],
    ])
    expect(computePriceExclusion(candidate(), prices, 5_000)).toBeUndefined()
    expect(isDoubtful(candidate(), prices, 5_000)).toBe(true)
    expect(isDoubtful(candidate(), new Map([...prices, [buyToken, 1n]]), 10_000)).toBe(false)
  })
})

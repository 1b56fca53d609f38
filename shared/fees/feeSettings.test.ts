import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { computeFeePolicies, type FeeOrder } from '../../functions/auctions/book/computeFeePolicies.ts'
import { nativeSentinel } from '../networks.ts'
import { computeVolumeFactor } from './computeVolumeFactor.ts'
import { feeSettings, readFeeRules } from './feeSettings.ts'

const token = (digit: number): Address => `0x${String(digit).repeat(40)}`
const [usd, euro, ether, wrappedNative] = [token(1), token(2), token(3), token(4)]
const quote = { sellAmount: 10n, buyAmount: 20n, fee: 1n }
const settings = z.object(feeSettings).transform(readFeeRules)

const order: FeeOrder = { sellToken: usd, buyToken: ether, class: 'market', partnerFees: [] }
const policiesOf = (env: Record<string, unknown>, changes: Partial<FeeOrder> = {}, now = 1000) =>
  computeFeePolicies(settings.parse(toText(env)), { ...order, ...changes }, quote, { wrappedNative, now })

const toText = (env: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )

const surplus = { kind: 'surplus', orderClass: 'limit', factor: 0.5, maxVolumeFactor: 0.01 }
const improvement = { kind: 'priceImprovement', orderClass: 'market', factor: 0.25, maxVolumeFactor: 0.02 }
const volume = { kind: 'volume', orderClass: 'any', factor: 0.1 }

describe('fee settings', () => {
  test('default to no fees', () => expect(policiesOf({})).toEqual([]))

  test('all policies of an order’s class apply, in sequence; none apply to liquidity', () => {
    const env = { FEE_POLICIES: [surplus, improvement, volume] }
    expect(policiesOf(env)).toEqual([
      { kind: 'priceImprovement', factor: 0.25, maxVolumeFactor: 0.02, quote },
      { kind: 'volume', factor: 0.1 },
    ])
    expect(policiesOf(env, { class: 'limit' })).toEqual([
      { kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.01 },
      { kind: 'volume', factor: 0.1 },
    ])
    expect(policiesOf(env, { class: 'liquidity' })).toEqual([])
  })

  test('upcoming policies replace the others from their start on', () => {
    const upcoming = { from: 1000, policies: [{ ...volume, factor: 0.2 }] }
    const env = { FEE_POLICIES: [volume], FEE_POLICIES_UPCOMING: upcoming }
    expect(policiesOf(env, {}, 999)).toEqual([{ kind: 'volume', factor: 0.1 }])
    expect(policiesOf(env, {}, 1000)).toEqual([{ kind: 'volume', factor: 0.2 }])
  })

  test('a volume fee in basis points applies to all orders from its start on, before all others', () => {
    const env = { VOLUME_FEE_BPS: '0.3', VOLUME_FEE_FROM: '1000', FEE_POLICIES: [surplus] }
    expect(policiesOf(env, { class: 'limit' }, 999)).toHaveLength(1)
    expect(policiesOf(env, { class: 'limit' })[0]).toEqual({ kind: 'volume', factor: 0.00003 })
    expect(policiesOf(env)).toEqual([{ kind: 'volume', factor: 0.00003 }])
  })

  test('the first bucket with both tokens replaces the share, and may be zero', () => {
    const env = {
      VOLUME_FEE_BPS: '2',
      VOLUME_FEE_BUCKETS: [
        { tokens: [usd, euro], bps: '0' },
        { tokens: [usd, euro, ether], bps: '1' },
      ],
    }
    expect(policiesOf(env, { buyToken: euro })).toEqual([{ kind: 'volume', factor: 0 }])
    expect(policiesOf(env)).toEqual([{ kind: 'volume', factor: 0.0001 }])
    expect(policiesOf(env, { buyToken: token(5) })).toEqual([{ kind: 'volume', factor: 0.0002 }])
    expect(policiesOf({ VOLUME_FEE_BUCKETS: env.VOLUME_FEE_BUCKETS })).toEqual([])
  })

  test('unwrapping pays no volume fee', () => {
    const env = { FEE_POLICIES: [volume, improvement] }
    expect(policiesOf(env, { sellToken: wrappedNative, buyToken: nativeSentinel })).toMatchObject([
      { kind: 'priceImprovement' },
    ])
  })

  test('partner fees come last, up to 1 % of the volume or the configured limit', () => {
    const partnerFees = [{ recipient: usd, kind: 'volume', bps: 300, maxVolumeBps: null }] as const
    const env = { FEE_POLICIES: [volume] }
    expect(policiesOf(env, { partnerFees })).toEqual([
      { kind: 'volume', factor: 0.1 },
      { kind: 'volume', factor: 0.01 },
    ])
    expect(policiesOf({ MAX_PARTNER_FEE_BPS: '200' }, { partnerFees, class: 'liquidity' })).toEqual([
      { kind: 'volume', factor: 0.02 },
    ])
  })

  test('the auction charges orders within the market the fees of their quote', () => {
    const env = {
      FEE_POLICIES: [
        { ...volume, orderClass: 'market' },
        { ...volume, orderClass: 'limit', factor: 0.3 },
      ],
    }
    const rules = settings.parse(toText(env))
    expect(computeVolumeFactor(rules, order, 'market', { wrappedNative, now: 1000 })).toBe(0.1)
    expect(policiesOf(env)).toEqual([{ kind: 'volume', factor: 0.1 }])
  })

  test.each(['10000', '-1', '0.001', '1e2', '', '2%'])('rejects %j as basis points', (text) => {
    for (const name of ['VOLUME_FEE_BPS', 'MAX_PARTNER_FEE_BPS']) {
      expect(settings.safeParse({ [name]: text }).error?.issues[0]?.path).toEqual([name])
    }
  })

  test.each<[string, Record<string, unknown>]>([
    ['FEE_POLICIES', { FEE_POLICIES: 'x' }],
    ['FEE_POLICIES', { FEE_POLICIES: [{ ...surplus, maxVolumeFactor: undefined }] }],
    ['FEE_POLICIES', { FEE_POLICIES: [{ ...surplus, factor: 1 }] }],
    ['FEE_POLICIES', { FEE_POLICIES: [{ ...volume, maxVolumefactor: 0.1 }] }],
    ['FEE_POLICIES', { FEE_POLICIES: [{ ...surplus, orderClass: 'all' }] }],
    ['FEE_POLICIES', { FEE_POLICIES: [volume, { ...volume, orderClass: 'limit' }] }],
    ['FEE_POLICIES', { FEE_POLICIES: [volume], VOLUME_FEE_BPS: '2' }],
    ['FEE_POLICIES', { FEE_POLICIES_UPCOMING: { from: 5, policies: [volume] }, VOLUME_FEE_BPS: '2' }],
    ['FEE_POLICIES_UPCOMING', { FEE_POLICIES_UPCOMING: [volume] }],
    ['VOLUME_FEE_BUCKETS', { VOLUME_FEE_BUCKETS: [{ tokens: [], bps: '1' }] }],
    ['VOLUME_FEE_BUCKETS', { VOLUME_FEE_BUCKETS: 'x' }],
  ])('names %s in the error of %j', (name, env) => {
    expect(settings.safeParse(toText(env)).error?.issues[0]?.path[0]).toBe(name)
  })
})

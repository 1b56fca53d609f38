import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { undoFees } from '../../functions/auctions/competition/undoFees.ts'
import { computeSurplus, type ExecutedOrder } from '../amounts/computeSurplus.ts'
import { maxUint256 } from '../amounts/uint256.ts'
import { chargeFees } from './chargeFees.ts'
import type { FeePolicy } from './feePolicy.ts'

const amount = fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, 10n ** 30n), fc.bigInt(2n ** 200n, 2n ** 250n))
const factor = fc.oneof(
  fc.constantFrom(0, 0.0002, 0.01, 0.5, 0.99, 0.9999),
  fc.double({ min: 0, max: 0.9999, noNaN: true }),
)
const quote = fc.record({ sellAmount: amount, buyAmount: fc.oneof(fc.constant(0n), amount), fee: amount })
const policy: fc.Arbitrary<FeePolicy> = fc.oneof(
  fc.record({ kind: fc.constant('volume' as const), factor }),
  fc.record({ kind: fc.constant('surplus' as const), factor, maxVolumeFactor: factor }),
  fc.record({ kind: fc.constant('priceImprovement' as const), factor, maxVolumeFactor: factor, quote }),
)
const policies = fc.array(policy, { maxLength: 4 })

/** An order within its limit, at any distance from it, partly or fully executed. */
const order: fc.Arbitrary<ExecutedOrder> = fc
  .tuple(
    fc.constantFrom('sell' as const, 'buy' as const),
    amount,
    amount,
    fc.bigInt(1n, 1000n),
    fc.oneof(fc.constant(0n), fc.bigInt(0n, 2000n)),
  )
  .map(([kind, limitSell, limitBuy, part, gain]) => {
    const scale = (value: bigint) => (value * part + 999n) / 1000n
    if (kind === 'sell') {
      const executedSell = scale(limitSell)
      const least = (executedSell * limitBuy + limitSell - 1n) / limitSell
      return { kind, limitSell, limitBuy, executedSell, executedBuy: least + (least * gain) / 1000n }
    }
    const executedBuy = scale(limitBuy)
    const most = (limitSell * executedBuy) / limitBuy
    return { kind, limitSell, limitBuy, executedSell: most - (most * gain) / 2001n, executedBuy }
  })

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, value) => total + value, 0n)
/** Fees taken from the order: fewer bought atoms, or more sold atoms. */
const lossOf = (before: ExecutedOrder, after: { executedSell: bigint; executedBuy: bigint }) =>
  before.kind === 'sell' ? before.executedBuy - after.executedBuy : after.executedSell - before.executedSell
const exactOf = ({ kind }: ExecutedOrder, amounts: { executedSell: bigint; executedBuy: bigint }) =>
  kind === 'sell' ? amounts.executedSell : amounts.executedBuy

describe('chargeFees', () => {
  test.each<[string, ExecutedOrder['kind'], FeePolicy[], bigint[], bigint]>([
    ['a volume fee of a tenth', 'sell', [{ kind: 'volume', factor: 0.1 }], [80n], 720n],
    ['a volume fee of a tenth, rounded to its favour', 'buy', [{ kind: 'volume', factor: 0.1 }], [79n], 879n],
    ['half of the surplus of 200', 'sell', [{ kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.9 }], [100n], 700n],
    ['half of the surplus of 200', 'buy', [{ kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.9 }], [100n], 900n],
    ['at most 1 % of the volume', 'sell', [{ kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.01 }], [8n], 792n],
    ['at most 1 % of the volume', 'buy', [{ kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.01 }], [7n], 807n],
    [
      'one after the other',
      'sell',
      [
        { kind: 'volume', factor: 0.1 },
        { kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.9 },
      ],
      [80n, 60n],
      660n,
    ],
    ['nothing', 'sell', [], [], 800n],
  ])('%s of a %s order', (_, kind, charged, fees, left) => {
    const limits = kind === 'sell' ? { limitSell: 1000n, limitBuy: 600n } : { limitSell: 1000n, limitBuy: 700n }
    const executed = kind === 'sell' ? [1000n, 800n] : [800n, 700n]
    const [executedSell = 0n, executedBuy = 0n] = executed
    const after = chargeFees({ kind, ...limits, executedSell, executedBuy }, charged)
    expect(after.fees).toEqual(fees)
    expect(kind === 'sell' ? after.executedBuy : after.executedSell).toBe(left)
  })

  test('loses and creates no atom, and leaves the exact amount unchanged', () => {
    fc.assert(
      fc.property(order, policies, (before, charged) => {
        const after = chargeFees(before, charged)
        expect(after.fees.length).toBe(charged.length)
        expect(after.fees.every((fee) => fee >= 0n)).toBe(true)
        expect(sum(after.fees)).toBe(lossOf(before, after))
        expect(exactOf(before, after)).toBe(exactOf(before, before))
      }),
    )
  })

  test('is reconstructed to at most the taken fee, within the rounding', () => {
    fc.assert(
      fc.property(order, policy, (before, charged) => {
        const after = chargeFees(before, [charged])
        const kept = sum(after.fees)
        const undone = sum(undoFees({ ...before, ...after }, [charged]).fees)
        expect(undone <= kept).toBe(true)
        if (before.kind === 'buy' && charged.kind === 'volume') expect(undone).toBe(kept)
        const largest = charged.kind === 'volume' ? charged.factor : Math.max(charged.factor, charged.maxVolumeFactor)
        expect(kept - undone <= 1n + BigInt(Math.ceil(largest / (1 - largest)))).toBe(true)
        // with one atom more for the owner, `undoFees` reconstructs more than was taken
        if (kept === 0n) return
        const better =
          before.kind === 'sell'
            ? { ...before, executedBuy: after.executedBuy + 1n }
            : { ...before, executedSell: after.executedSell - 1n }
        expect(sum(undoFees(better, [charged]).fees) > kept - 1n).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('of several policies is reconstructed to at most the fees taken by all of them', () => {
    fc.assert(
      fc.property(order, policies, (before, charged) => {
        const after = chargeFees(before, charged)
        expect(sum(undoFees({ ...before, ...after }, charged).fees) <= sum(after.fees)).toBe(true)
      }),
    )
  })

  test('takes at most its factors of the gain and of the volume', () => {
    fc.assert(
      fc.property(order, factor, factor, (before, share, maxVolumeFactor) => {
        const kept = sum(chargeFees(before, [{ kind: 'surplus', factor: share, maxVolumeFactor }]).fees)
        const cap = sum(chargeFees(before, [{ kind: 'volume', factor: maxVolumeFactor }]).fees)
        const uncapped = sum(chargeFees(before, [{ kind: 'surplus', factor: share, maxVolumeFactor: 0.99999 }]).fees)
        expect(kept <= cap && kept <= uncapped).toBe(true)
        // exact share of the gain, in millionths of a millionth, and the atom that rounding may take
        const gain = computeSurplus(before)
        expect(kept <= (gain * (BigInt(Math.ceil(share * 1e12)) + 1n)) / 10n ** 12n + 1n).toBe(true)
      }),
    )
  })

  test('on gains never breaks the limit, and an order at its limit pays none', () => {
    const gains = fc.array(
      policy.filter(({ kind }) => kind !== 'volume'),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(order, gains, (before, charged) => {
        const after = chargeFees(before, charged)
        expect(computeSurplus({ ...before, ...after }) >= 0n).toBe(true)
        if (computeSurplus(before) === 0n) expect(sum(after.fees)).toBe(0n)
      }),
    )
  })

  test('on volume may violate the limit, detectable by the surplus', () => {
    const atLimit = { kind: 'sell', limitSell: 100n, limitBuy: 100n, executedSell: 100n, executedBuy: 100n } as const
    const after = chargeFees(atLimit, [{ kind: 'volume', factor: 0.1 }])
    expect(computeSurplus({ ...atLimit, ...after })).toBe(-10n)
  })

  test('accepts extreme amounts, and rejects a sell amount beyond uint256', () => {
    const most = { limitSell: maxUint256, limitBuy: maxUint256, executedSell: maxUint256, executedBuy: maxUint256 }
    const volume: FeePolicy = { kind: 'volume', factor: 0.5 }
    expect(sum(chargeFees({ kind: 'sell', ...most }, [volume]).fees)).toBe(maxUint256 / 2n + 1n)
    expect(() => chargeFees({ kind: 'buy', ...most }, [volume])).toThrow(RangeError)
    const half = { ...most, executedSell: maxUint256 / 2n }
    expect(
      chargeFees({ kind: 'buy', ...half }, [{ kind: 'surplus', factor: 0.9999, maxVolumeFactor: 0.9999 }]),
    ).toBeDefined()
    expect(chargeFees({ kind: 'buy', ...most, executedSell: 0n }, [volume]).fees).toEqual([0n])
  })
})

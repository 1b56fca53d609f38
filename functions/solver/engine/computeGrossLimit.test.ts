import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { chargeFees } from '#shared/fees/chargeFees.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { computeGrossLimit } from './computeGrossLimit.ts'

const factor = fc.double({ min: 0, max: 0.9, noNaN: true })
const amount = fc.bigInt(10n ** 6n, 10n ** 24n)
const policy: fc.Arbitrary<FeePolicy> = fc.oneof(
  fc.record({ kind: fc.constant('volume' as const), factor }),
  fc.record({ kind: fc.constant('surplus' as const), factor, maxVolumeFactor: factor }),
  fc.record({
    kind: fc.constant('priceImprovement' as const),
    factor,
    maxVolumeFactor: factor,
    quote: fc.record({ sellAmount: amount, buyAmount: amount, fee: fc.bigInt(0n, 10n ** 5n) }),
  }),
)

test('an order executed at the gross limit, or better, gets its signed limit after protocol fees', () => {
  const kinds = fc.constantFrom('sell' as const, 'buy' as const)
  fc.assert(
    fc.property(
      kinds,
      amount,
      amount,
      fc.array(policy, { maxLength: 3 }),
      fc.bigInt(0n, 10n ** 6n),
      (kind, sell, buy, policies, gain) => {
        const order = { kind, limitSell: sell, limitBuy: buy, availableSell: sell, availableBuy: buy }
        const limit = computeGrossLimit(order, policies)
        const executed =
          kind === 'sell'
            ? { executedSell: sell, executedBuy: limit + gain }
            : { executedSell: limit > gain ? limit - gain : limit, executedBuy: buy }
        fc.pre(executed.executedSell > 0n)
        const terms = { kind, limitSell: sell, limitBuy: buy }
        const net = chargeFees({ ...terms, ...executed }, policies)
        expect(computeSurplus({ ...terms, ...net })).toBeGreaterThanOrEqual(0n)
      },
    ),
  )
})

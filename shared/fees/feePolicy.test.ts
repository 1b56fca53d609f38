import { expect, test } from 'vitest'
import { type FeePolicy, feePolicySchema, toFeePolicyBody } from './feePolicy.ts'

const solver = `0x${'50'.repeat(20)}` as const
const quote = { sellAmount: 2n ** 200n, buyAmount: 0n, fee: 5n }

test.for<[FeePolicy, unknown]>([
  [{ kind: 'volume', factor: 0.0002 }, { volume: { factor: 0.0002 } }],
  [{ kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.01 }, { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } }],
  [
    { kind: 'priceImprovement', factor: 0.5, maxVolumeFactor: 0.01, quote },
    {
      priceImprovement: {
        factor: 0.5,
        maxVolumeFactor: 0.01,
        quote: { sellAmount: (2n ** 200n).toString(), buyAmount: '0', fee: '5', solver },
      },
    },
  ],
])('$0.kind is encoded with its key as tag', ([policy, body]) => {
  expect(toFeePolicyBody(policy, solver)).toEqual(body)
  expect(feePolicySchema.parse(JSON.parse(JSON.stringify(body)))).toEqual(policy)
})

test.each([{ volume: { factor: 1 } }, { volume: { factor: -0.1 } }, { surplus: { factor: 0.5 } }, {}])(
  '%j is no policy',
  (body) => {
    expect(feePolicySchema.safeParse(body).success).toBe(false)
  },
)

import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
import type { Batch } from '../batches/batch.ts'
import type { Pool } from '../pools/pool.ts'
import { buildFallback } from './buildFallback.ts'

const [a, b, wrappedNative]: Address[] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`, `0x${'e'.repeat(40)}`]

test.each([
  ['a signed fee', 7n, 10_007n],
  ['at most a hundredth of what they asked for', 700n, 10_100n],
  ['nothing without a fee', 0n, 10_000n],
])('pays pools that have moved %s', (_, feeAmount, paid) => {
  if (!a || !b || !wrappedNative) throw new Error('no tokens')
  const pool: Pool = { kind: 'constantProduct', address: a, token0: a, token1: b, reserve0: 1n, reserve1: 1n }
  const hop = { pool, tokenIn: a, tokenOut: b, amountIn: 10_000n, amountOut: 9_000n }
  const order = { ...auctionOrder, sellToken: a, buyToken: b, sellAmount: 10_000n, feeAmount }
  const batch: Batch = {
    ...{ sellToken: a, buyToken: b, rate: { amountIn: 10_000n, amountOut: 9_000n }, tolerance: 0n, score: 0n },
    fills: [{ order, executedSell: 10_000n, executedBuy: 9_000n, score: 0n }],
    route: { hops: [hop], amountIn: 10_000n, amountOut: 9_000n },
  }
  const { batches } = buildFallback({ batches: [batch], uniformPrices: new Map(), score: 0n }, wrappedNative)
  expect(batches[0]?.route).toMatchObject({ amountIn: paid, hops: [{ amountIn: paid, amountOut: 9_000n }] })
})

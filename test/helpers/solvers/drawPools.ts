import type { Address } from 'viem'
import { type Pool, type Pools, toPairKey } from '../../../functions/solver/pools/pool.ts'

/** Tokens of random markets: the first one is sold for the second one, the others lie between them. */
export const drawnTokens = ['a', 'b', 'c', 'd'].map((digit): Address => `0x${digit.repeat(40)}`) as [
  Address,
  Address,
  Address,
  Address,
]

/**
 * Pools of random depth, several for some pairs, with prices that differ by a few per cent.
 * @param most maximum number of pools of a pair; the first pair has at least one
 */
export const drawPools = (random: () => number, most = 3): Pools => {
  const [a, b, c, d] = drawnTokens
  let last = 0
  const draw = (token0: Address, token1: Address): [string, Pool[]] => [
    toPairKey(token0, token1),
    Array.from({ length: Math.floor(random() * most) + (token0 === a && token1 === b ? 1 : 0) }, (): Pool => {
      last += 1
      return drawPool(random, token0, token1, `0x${last.toString(16).padStart(40, '0')}`)
    }),
  ]
  return new Map([draw(a, b), draw(a, c), draw(b, c), draw(a, d), draw(b, d), draw(c, d)])
}

/** A pool of either kind; `token0` has the lower address. */
export const drawPool = (random: () => number, token0: Address, token1: Address, address: Address): Pool => {
  const depth = BigInt(Math.floor(10 ** (9 + 3 * random())))
  const price = 0.97 + 0.06 * random()
  if (random() < 0.5)
    return {
      kind: 'constantProduct',
      ...{ address, token0, token1 },
      reserve0: depth,
      reserve1: BigInt(Math.floor(Number(depth) * price)),
    }
  const sqrtPrice = BigInt(Math.floor(Math.sqrt(price) * 2 ** 48)) << 48n
  const tick = Math.floor(Math.log(price) / Math.log(1.0001))
  // twice the depth near the price, half beyond
  const [lower, upper] = [Math.floor(tick / 60) * 60 - 600, Math.floor(tick / 60) * 60 + 660]
  return {
    kind: 'concentrated',
    ...{ address, token0, token1, fee: 3_000, tickSpacing: 60, sqrtPrice, tick, liquidity: 4n * depth },
    ticks: new Map([
      [lower, 3n * depth],
      [upper, -3n * depth],
    ]),
    lowestTick: -60_000,
    highestTick: 60_000,
  }
}

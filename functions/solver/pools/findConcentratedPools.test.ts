import { type Address, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { findConcentratedPools } from './findConcentratedPools.ts'

const factory: Address = `0x${'fa'.repeat(20)}`
const [token0, token1]: Address[] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`]
const poolOf: Record<number, Address> = { 3000: `0x${'30'.repeat(20)}`, 500: `0x${'05'.repeat(20)}` }
const sqrtPrice = 2n ** 96n

type Call = { address: Address; functionName: string; args?: readonly unknown[] }

/** A chain with pools of one pair at `tick`; `initialised` has ticks and their liquidity changes. */
const createClient = (tick: number, initialised: Map<number, bigint>, { liquidity = 7n, fees = [3_000] } = {}) => {
  const spacings: Record<Address, number> = { [poolOf[3_000] as Address]: 60, [poolOf[500] as Address]: 10 }
  const respond = ({ address, functionName, args = [] }: Call): unknown => {
    if (functionName === 'getPool') return fees.includes(args[2] as number) ? poolOf[args[2] as number] : zeroAddress
    if (functionName === 'slot0') return [sqrtPrice, tick, 0, 0, 0, 0, true]
    if (functionName === 'liquidity') return liquidity
    if (functionName === 'ticks') return [1n, initialised.get(args[0] as number), 0n, 0n, 0n, 0n, 0, true]
    const word = BigInt(args[0] as number)
    return [...initialised.keys()].reduce((bitmap, each) => {
      const index = BigInt(Math.floor(each / (spacings[address] ?? 1)))
      return index >> 8n === word ? bitmap | (1n << (index & 255n)) : bitmap
    }, 0n)
  }
  return {
    multicall: async ({ contracts, allowFailure }: { contracts: Call[]; allowFailure: boolean }) =>
      contracts.map((call) => (allowFailure ? { status: 'success', result: respond(call) } : respond(call))),
  } as unknown as ChainClient
}

const find = (client: ChainClient) =>
  findConcentratedPools(client, factory, [[token0 as Address, token1 as Address]], {})

test('finds the pools of each fee with their price and liquidity', async () => {
  const pools = await find(createClient(5, new Map(), { fees: [500, 3_000] }))
  expect(pools.map(({ address, fee, tickSpacing }) => [address, fee, tickSpacing])).toEqual([
    [poolOf[500], 500, 10],
    [poolOf[3_000], 3_000, 60],
  ])
  expect(pools[0]).toMatchObject({ kind: 'concentrated', token0, token1, sqrtPrice, tick: 5, liquidity: 7n })
})

test('covers only the words around the price', async () => {
  // words of 256 · 60 ticks: the one of the price and one on either side
  const [pool] = await find(createClient(5, new Map()))
  expect([pool?.lowestTick, pool?.highestTick]).toEqual([-256 * 60, (2 * 256 - 1) * 60])
})

test('is limited to the nearest hundred ticks on either side', async () => {
  const initialised = new Map(Array.from({ length: 300 }, (_, i) => [(i - 150) * 60, 1n] as const))
  const [pool] = await find(createClient(0, initialised))
  // 0 itself is below
  expect([pool?.lowestTick, pool?.highestTick]).toEqual([-99 * 60, 100 * 60])
  expect(pool?.ticks.size).toBe(200)
})

test('leaves out a pool without liquidity', async () => {
  expect(await find(createClient(0, new Map(), { liquidity: 0n }))).toEqual([])
})

import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { Simulate } from '#shared/chain/calls/simulateCalls.ts'
import { networks } from '#shared/networks.ts'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
import { findHookedFunds } from './findHookedFunds.ts'

test('finds the funds of each order in its turn, however many come first', async () => {
  const ownerOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
  const preInteractions = [{ target: ownerOf(1), value: 0n, callData: '0x12' as const }]
  const orders = Array.from({ length: 50 }, (_, i) => ({
    ...{ ...auctionOrder, owner: ownerOf(100 + i), partiallyFillable: true, preInteractions },
  }))
  const simulate: Simulate = async (calls) => ({
    block: 1,
    results: calls.map(() => ({ succeeded: true, returnData: `0x${'7'.padStart(64, '0')}`, gasUsed: 1n })),
  })
  const found = new Set<string>()
  for (const turn of [7, 8, 9]) {
    const funds = await findHookedFunds(simulate, networks.sepolia, orders, turn)
    expect(funds.size).toBe(20)
    for (const key of funds.keys()) found.add(key)
  }
  expect(found.size).toBe(50)
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import type { ClockDeps } from './clockDeps.ts'
import { createClockState } from './clockState.ts'
import { auctionIntervalMs } from './runAuction.ts'
import { runTick } from './runTick.ts'

const network = networks.sepolia

let chain: TestChain
let test: TestDatabase

beforeAll(async () => {
  ;[chain, test] = await Promise.all([startTestChain(), startTestDatabase()])
})

afterAll(async () => {
  await chain?.stop()
  await test?.close()
})

it('holds an auction on the same block after an interval, and at once when the clock jumps an hour either way', async () => {
  let now = 10_000_000
  const state = createClockState()
  const deps = {
    network,
    database: test.database,
    chain: connectChain(chain.rpcUrl, network.chainId),
    solvers: [],
    now: () => now,
    log: () => undefined,
    background: () => undefined,
    startBlock: 0,
    onchainOrderContracts: [],
    unsupportedTokens: new Set(),
  } as unknown as ClockDeps
  /** @returns whether the tick after so many milliseconds held an auction */
  const tickAfter = async (ms: number) => {
    now += ms
    await runTick(deps, state)
    await state.round
    return state.lastRound?.at === now
  }
  expect(await tickAfter(0)).toBe(true)
  state.woken = false
  expect(await tickAfter(auctionIntervalMs - 1)).toBe(false)
  expect(await tickAfter(1)).toBe(true)
  for (const jump of [-3_600_000, 3_600_000]) {
    expect(await tickAfter(jump)).toBe(true)
    expect(await tickAfter(1)).toBe(false)
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import type { ClockDeps } from './clockDeps.ts'
import { createClockState } from './clockState.ts'
import { runTick } from './runTick.ts'

const network = networks.sepolia

let chain: TestChain
let testDatabase: TestDatabase
let node: BadNode

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startTestChain(), startTestDatabase()])
  node = await startBadNode(chain.rpcUrl)
})

afterAll(async () => {
  node?.close()
  await chain?.stop()
  await testDatabase?.close()
})

test('pauses after a rate limit error, then resumes', async () => {
  let now = 1_000_000
  const state = createClockState()
  const background: Promise<unknown>[] = []
  const deps = {
    network,
    database: testDatabase.database,
    chain: connectChain(node.url, network.chainId),
    solvers: [],
    now: () => now,
    log: () => undefined,
    background: (work: Promise<unknown>) => background.push(work),
    startBlock: 0,
    onchainOrderContracts: [],
    unsupportedTokens: new Set(),
  } as unknown as ClockDeps
  const tick = async () => {
    await runTick(deps, state)
    await Promise.all(background.splice(0))
  }
  node.interfere(() => {
    throw new NodeRefusal({ status: 429, headers: { 'Retry-After': '5' } })
  })
  await tick()
  const asked = node.calls.length
  now += 4_999
  await tick()
  expect(node.calls.length).toBe(asked)
  node.interfere()
  now += 1
  await tick()
  expect(state.index.blocks?.at(-1)?.number).toBe(Number(await chain.chain.getBlockNumber()))
  expect(state.pause.times).toBe(0)
})

test('pauses no longer when the system time jumps an hour back, and does not stop when it jumps ahead', async () => {
  let now = 10_000_000
  const state = createClockState()
  const deps = {
    network,
    database: testDatabase.database,
    chain: connectChain(node.url, network.chainId),
    solvers: [],
    now: () => now,
    log: () => undefined,
    background: () => undefined,
    startBlock: 0,
    onchainOrderContracts: [],
    unsupportedTokens: new Set(),
  } as unknown as ClockDeps
  for (const jump of [-3_600_000, 3_600_000, -3_600_000]) {
    node.interfere(() => {
      throw new NodeRefusal({ status: 429, headers: { 'Retry-After': '30' } })
    })
    await runTick(deps, state)
    await runTick(deps, state)
    expect(state.pause.until).toBe(now + 30_000)
    node.interfere()
    now += jump
    await runTick(deps, state)
    expect(node.calls.length).toBeGreaterThan(0)
    expect(state.pause.times).toBe(0)
    await state.round
  }
})

test('wakes the notifier after new blocks and after an auction, and continues when that fails', async () => {
  const background: Promise<unknown>[] = []
  const failed: unknown[] = []
  let said = 0
  const deps = {
    network,
    database: testDatabase.database,
    chain: connectChain(node.url, network.chainId),
    solvers: [],
    now: () => 2_000_000,
    log: ({ step }: { step?: string }) => failed.push(step),
    background: (work: Promise<unknown>) => background.push(work),
    notify: async () => {
      said += 1
      throw new Error('the notifier is unavailable')
    },
    startBlock: 0,
    onchainOrderContracts: [],
    unsupportedTokens: new Set(),
  } as unknown as ClockDeps
  const state = createClockState()
  const tick = async () => {
    await runTick(deps, state)
    while (background.length > 0) await Promise.all(background.splice(0))
  }
  node.interfere()
  await chain.chain.mine({ blocks: 1 })
  await tick()
  expect(said).toBe(2)
  expect(failed.filter((step) => step === 'notify')).toHaveLength(2)
  state.lastRound = { blockHash: state.index.blocks?.at(-1)?.hash ?? '0x', at: deps.now() }
  state.woken = false
  await tick()
  expect(said).toBe(2)
})

import { type Address, maxUint256 } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Hook } from '#shared/appData/parseAppData.ts'
import { type Simulate, SimulationError, simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { buildHookInteractions } from '#shared/hooks/buildHookInteractions.ts'
import { networks } from '#shared/networks.ts'
import { deployPermitToken, type PermitToken } from '#test/helpers/chain/permitToken.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { findHookFunds, type HookFundsCache } from './findHookFunds.ts'

const network = networks.sepolia
const block = { number: 1, hash: `0x${'01'.repeat(32)}`, timestamp: new Date() } as const
const nextBlock = { ...block, hash: `0x${'02'.repeat(32)}` } as const
const unknown = { balance: maxUint256, allowance: maxUint256 }
const signer = devAccounts[3]
/** reverts on any call */
const reverting: Address = '0x1271000000000000000000000000000000000002'

let chain: TestChain
let token: PermitToken
let cache: HookFundsCache
let requests: number

beforeAll(async () => {
  chain = await startTestChain()
  token = await deployPermitToken(chain.chain)
  await token.mint(signer.address, 1_000n)
  await chain.chain.setCode({ address: reverting, bytecode: '0x60006000fd' })
})
afterAll(() => chain?.stop())
beforeEach(() => {
  cache = new Map()
  requests = 0
})

const buildCandidate = (seed: number, hooks: Hook[], sellAmount = 1_000n) => ({
  order: {
    ...newOrder(seed, { owner: signer.address, sellToken: token.address, sellAmount }),
    executedSellAmount: 0n,
    executedBuyAmount: 0n,
    executedFeeAmount: 0n,
    preInteractions: buildHookInteractions(network.hooksTrampoline, hooks),
  },
})

const find = (
  candidates: ReturnType<typeof buildCandidate>[],
  at: typeof block | typeof nextBlock = block,
  simulate?: Simulate,
) => {
  const counting: Simulate = (...args) => {
    requests += 1
    return (simulate ?? simulateCalls(chain.rpcUrl))(...args)
  }
  return findHookFunds({ network, simulate: counting }, cache, at, candidates)
}

const hookOf = (target: Address): Hook => ({ target, callData: '0x12', gasLimit: 50_000n })

test('counts funds supplied by hooks, once per block, without changing the chain', async () => {
  const candidate = buildCandidate(1, [await token.signPermit(signer, 1_000n)])
  const expected = new Map([[candidate.order.uid, { balance: 1_000n, allowance: 1_000n }]])
  expect(await find([candidate])).toEqual(expected)
  expect(await find([candidate])).toEqual(expected)
  expect(requests).toBe(1)
  expect(await find([candidate], nextBlock)).toEqual(expected)
  expect(requests).toBe(2)
  expect(await token.allowance(signer.address, network.vaultRelayer)).toBe(0n)
})

test('names the reverting hook when the funds are insufficient', async () => {
  const permit = await token.signPermit(signer, 1_000n)
  const stale = { ...permit, gasLimit: 30_000n }
  const funded = buildCandidate(1, [hookOf(reverting), permit])
  const unfunded = buildCandidate(2, [permit, hookOf(reverting)], 1_001n)
  const starved = buildCandidate(3, [stale])
  const idle = buildCandidate(4, [hookOf(signer.address)])
  const funds = await find([funded, unfunded, starved, idle])
  expect(funds.get(funded.order.uid)).toEqual({ balance: 1_000n, allowance: 1_000n })
  const allowance = 1_000n
  expect(funds.get(unfunded.order.uid)).toEqual({
    balance: 1_000n,
    allowance,
    reverting: { hook: 1, target: reverting },
  })
  expect(funds.get(starved.order.uid)).toMatchObject({ allowance: 0n, reverting: { hook: 0, target: token.address } })
  expect(funds.get(idle.order.uid)).toEqual({ balance: 1_000n, allowance: 0n, reverting: undefined })
})

test('a node that does not respond excludes no order, and older results remain', async () => {
  const refuse =
    (reason: SimulationError['reason']): Simulate =>
    () =>
      Promise.reject(new SimulationError(reason))
  const candidate = buildCandidate(1, [hookOf(reverting)])
  for (const reason of ['nodeCannotSimulate', 'nodeUnavailable', 'timeout'] as const)
    expect((await find([candidate], block, refuse(reason))).get(candidate.order.uid)).toEqual(unknown)
  const known = await find([candidate])
  expect(known.get(candidate.order.uid)).toMatchObject({ allowance: 0n })
  expect(await find([candidate], nextBlock, refuse('timeout'))).toEqual(known)
})

test('simulates 32 orders per cut, at most four concurrently, and eventually all', async () => {
  const candidates = Array.from({ length: 70 }, (_, seed) => buildCandidate(seed, [hookOf(signer.address)]))
  let running = 0
  let most = 0
  const word = `0x${'00'.repeat(31)}07` as const
  const simulate: Simulate = async (calls) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    running -= 1
    return { block: 1, results: calls.map(() => ({ succeeded: true, returnData: word, gasUsed: 1n })) }
  }
  const countKnown = async (at: typeof block | typeof nextBlock) =>
    [...(await find(candidates, at, simulate)).values()].filter(({ balance }) => balance === 7n).length
  const counts = [await countKnown(block)]
  for (let cut = 0; cut < 3; cut += 1) counts.push(await countKnown(nextBlock))
  // new orders have half of the places while others wait
  expect(counts).toEqual([32, 48, 64, 70])
  expect(most).toBe(4)
  const asked = [...cache].filter(([, { blockHash }]) => blockHash === nextBlock.hash)
  expect(asked).toHaveLength(70)
  await find(candidates.slice(0, 1), nextBlock, simulate)
  expect(cache.size).toBe(1)
})

test('orders that are new in each block leave half of the simulations to the others', async () => {
  const honest = buildCandidate(100, [hookOf(signer.address)], 5n)
  const simulateWord =
    (word: string): Simulate =>
    async (calls) => ({
      block: 1,
      results: calls.map(() => ({ succeeded: true, returnData: `0x${word.padStart(64, '0')}`, gasUsed: 1n })),
    })
  const poor = await find([honest], block, simulateWord('4'))
  expect(poor.get(honest.order.uid)).toMatchObject({ balance: 4n })
  const fresh = Array.from({ length: 32 }, (_, seed) => buildCandidate(seed, [hookOf(signer.address)], 5n))
  const rich = await find([...fresh, honest], nextBlock, simulateWord('7'))
  expect(rich.get(honest.order.uid)).toMatchObject({ balance: 7n })
})

const simulateAs = (refuses: (text: string) => boolean): Simulate => {
  const word = `0x${'00'.repeat(31)}07` as const
  return async (calls) => {
    if (refuses(JSON.stringify(calls, (_, value) => (typeof value === 'bigint' ? `${value}` : value))))
      throw new SimulationError('nodeUnavailable', { isResponse: true })
    return { block: 1, results: calls.map(() => ({ succeeded: true, returnData: word, gasUsed: 1n })) }
  }
}

test('excludes an order whose calls the node responds to with an error, as long as it simulates other calls', async () => {
  const [bad, good] = [buildCandidate(1, [hookOf(reverting)], 5n), buildCandidate(2, [hookOf(signer.address)], 5n)]
  const funds = await find(
    [bad, good],
    block,
    simulateAs((text) => text.includes(reverting.slice(2))),
  )
  expect(funds.get(bad.order.uid)).toEqual({ balance: 0n, allowance: 0n, reverting: { hook: 0, target: reverting } })
  expect(funds.get(good.order.uid)).toEqual({ balance: 7n, allowance: 7n })
  cache = new Map()
  const outage = await find(
    [bad, good],
    block,
    simulateAs(() => true),
  )
  expect([...outage.values()]).toEqual([unknown, unknown])
})

test('orders without a response from the node do not delay the others', async () => {
  const hostile = Array.from({ length: 40 }, (_, seed) => buildCandidate(seed, [hookOf(reverting)], 5n))
  const honest = buildCandidate(100, [hookOf(signer.address)], 5n)
  const simulate: Simulate = (calls, ...rest) =>
    JSON.stringify(calls.map(({ data }) => data)).includes(reverting.slice(2))
      ? Promise.reject(new SimulationError('timeout'))
      : simulateAs(() => false)(calls, ...rest)
  await find([...hostile, honest], block, simulate)
  const funds = await find([...hostile, honest], block, simulate)
  expect(funds.get(honest.order.uid)).toEqual({ balance: 7n, allowance: 7n })
  expect(funds.get(hostile[0]?.order.uid ?? '0x')).toEqual(unknown)
})

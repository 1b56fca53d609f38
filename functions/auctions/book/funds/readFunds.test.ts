import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { codeReturning, hostileCode, hostileNames } from '#test/helpers/chain/hostileCode.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { type BadNode, NodeRefusal, type RpcCall, startBadNode } from '#tools/stack/chain/badNode.ts'
import { type BalanceCache, createBalanceCache, unknownFunds } from './balanceCache.ts'
import { findBalances } from './findBalances.ts'
import { type Holding, toHoldingKey } from './toHoldingKey.ts'

const network = networks.sepolia
const addressOf = (seed: number): Address => `0x${seed.toString(16).padStart(40, '0')}`
const honest = addressOf(0x10_0000)
/** needs 500,000 gas to return */
const heavy = addressOf(0x10_0001)
const hostileTokens = Array.from({ length: 420 }, (_, i) => addressOf(0x20_0000 + i))
const kinds = hostileNames.filter((name) => !['no data', 'short data', 'revert'].includes(name))

let chain: TestChain
let node: BadNode

beforeAll(async () => {
  chain = await startTestChain()
  node = await startBadNode(chain.rpcUrl)
  await chain.chain.setCode({ address: honest, bytecode: codeReturning(7n) })
  // PUSH2 counter, then a loop of 20 gas or so, then returns 7
  await chain.chain.setCode({ address: heavy, bytecode: `0x6150005b6001900380600357${codeReturning(7n).slice(2)}` })
  await Promise.all(
    hostileTokens.map((address, i) => {
      const name = kinds[i % kinds.length] ?? 'infinite loop'
      return chain.chain.setCode({ address, bytecode: hostileCode[name] })
    }),
  )
})
afterAll(async () => {
  node?.close()
  await chain?.stop()
})
beforeEach(() => node.interfere())

const readHead = async () => {
  const { number, hash, timestamp } = await chain.chain.getBlock()
  return { number: Number(number), hash, timestamp: new Date(Number(timestamp) * 1_000) }
}
const find = async (cache: BalanceCache, holdings: Holding[], unjudged: Holding[] = []) => {
  const client = connectChain(node.url, network.chainId)
  return findBalances({ network, chain: client }, cache, await readHead(), holdings, unjudged)
}

const seven = { balance: 7n, allowance: 7n }
const none = { balance: 0n, allowance: 0n }
const owners = (count: number, from = 0x30_0000) => Array.from({ length: count }, (_, i) => addressOf(from + i))

describe('a book with 5,000 hostile holdings', () => {
  const hostile = hostileTokens.flatMap((token) => owners(12).map((owner): Holding => ({ owner, token })))
  const good = owners(20, 0x40_0000).map((owner): Holding => ({ owner, token: honest }))
  const cache = createBalanceCache()

  test('reads every honest holding in the first cut, in at most 72 calls of the node', async () => {
    // four seconds and what was in flight then
    const funds = await settlesBefore(10_000, find(cache, [...hostile, ...good]))
    expect(good.map((holding) => funds.get(toHoldingKey(holding)))).toEqual(good.map(() => seven))
    expect(node.calls.length).toBeLessThanOrEqual(72)
  })

  test('reads a new honest holding at once in each later cut, behind however many that wait', async () => {
    const newcomers = owners(3, 0x50_0000).map((owner): Holding => ({ owner, token: honest }))
    for (const [i, newcomer] of newcomers.entries()) {
      node.interfere()
      await chain.chain.mine({ blocks: 1 })
      const holdings = [...hostile, ...good, ...newcomers.slice(0, i + 1)]
      const funds = await find(cache, holdings, [newcomer])
      expect(funds.get(toHoldingKey(newcomer))).toEqual(seven)
      expect(node.calls.length).toBeLessThanOrEqual(72)
    }
  }, 60_000)

  test('caches no more holdings than there are in the order book', async () => {
    await find(cache, good)
    expect([cache.balances.size, cache.waiting.size, cache.failing.size]).toEqual([20, 0, 0])
  })
})

test('reads a token that needs much gas with a larger limit, and one that burns any amount as 0', async () => {
  const cache = createBalanceCache()
  const [first = honest] = owners(1)
  const burning = hostileTokens[kinds.indexOf('infinite loop')] ?? honest
  const holdings = [heavy, burning, honest].map((token) => ({ owner: first, token }))
  const funds = await find(cache, holdings)
  expect(holdings.map((holding) => funds.get(toHoldingKey(holding)))).toEqual([seven, none, seven])
  expect([...cache.failing]).toEqual([[burning, 2]])
  expect(cache.waiting.size).toBe(0)
})

test('reads forty holdings of expensive tokens in a cut, and the others in the next', async () => {
  const cache = createBalanceCache()
  const holdings = owners(60).map((owner) => ({ owner, token: heavy }))
  const countRead = async () =>
    [...(await find(cache, holdings)).values()].filter(({ balance }) => balance === 7n).length
  expect(await countRead()).toBe(40)
  expect(cache.waiting.size).toBe(20)
  expect(await countRead()).toBe(60)
})

test('tokens alternate: many holdings of one that burns gas do not delay the holding of an expensive one', async () => {
  const burning = hostileTokens[kinds.indexOf('infinite loop')] ?? honest
  const [last = honest] = owners(1)
  const holdings = [...owners(60).map((owner) => ({ owner, token: burning })), { owner: last, token: heavy }]
  const funds = await find(createBalanceCache(), holdings)
  expect(funds.get(toHoldingKey({ owner: last, token: heavy }))).toEqual(seven)
})

test('tokens that burn gas and are new in each block leave half of the larger reads to those that wait', async () => {
  const cache = createBalanceCache()
  const waiting = owners(60).map((owner) => ({ owner, token: heavy }))
  const [owner = honest] = owners(1)
  const countRead = async (fresh: Holding[]) =>
    [...(await find(cache, [...waiting, ...fresh])).values()].filter(({ balance }) => balance === 7n).length
  expect(await countRead([])).toBe(40)
  const burning = hostileTokens.filter((_, i) =>
    ['infinite loop', 'huge memory'].includes(kinds[i % kinds.length] ?? ''),
  )
  const fresh = burning.slice(0, 40).map((token) => ({ owner, token }))
  expect(await countRead(fresh)).toBe(60)
})

/** A batch whose calls have so much gas each; a call without contracts is one as well. */
const isBatch = ({ params }: RpcCall, gas: number) =>
  JSON.stringify(params).includes(gas.toString(16).padStart(16, '0'))

test.each([
  { gas: 100_000, reads: 'first', maxCalls: 60, token: honest },
  { gas: 1_000_000, reads: 'second', maxCalls: 12, token: heavy },
])(
  'a node that fails every batch receives at most $maxCalls calls for the $reads reads',
  async ({ gas, maxCalls, token }) => {
    node.interfere((call, forward) => {
      if (!isBatch(call, gas) || !JSON.stringify(call.params).includes(token.slice(2))) return forward()
      throw new NodeRefusal({ error: { code: -32_000, message: 'out of memory' } })
    })
    const holdings = owners(400).map((owner) => ({ owner, token }))
    await find(createBalanceCache(), holdings)
    const asked = node.calls.filter((call) => isBatch(call, gas)).length
    expect(asked).toBeGreaterThan(maxCalls / 4)
    expect(asked).toBeLessThanOrEqual(maxCalls)
  },
)

test('a node that fails every call is an error and leaves the cache empty', async () => {
  const cache = createBalanceCache()
  const holdings = owners(3).map((owner) => ({ owner, token: honest }))
  for (const answer of [{ status: 503 }, { error: { code: -32_000, message: 'leveldb: closed' } }]) {
    node.interfere(() => {
      throw new NodeRefusal(answer)
    })
    await expect(find(cache, holdings)).rejects.toThrow()
    expect(cache.balances.size).toBe(0)
  }
})

test('a holding beyond the time limit is unknown, and read in the next cut', async () => {
  const cache = createBalanceCache()
  const [holding = { owner: honest, token: honest }] = owners(1).map((owner) => ({ owner, token: honest }))
  // a first call that never ends, and a node that otherwise works
  node.interfere(({ method, params }, forward) => {
    const asks = JSON.stringify(params).includes(
      encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holding.owner] }).slice(2),
    )
    return method === 'eth_call' && asks ? new Promise(() => undefined) : forward()
  })
  expect((await find(cache, [holding])).get(toHoldingKey(holding))).toEqual(unknownFunds)
  node.interfere()
  expect((await find(cache, [holding])).get(toHoldingKey(holding))).toEqual(seven)
}, 20_000)

test.each([3_600_000, -3_600_000])(
  'balances are read once more when the time of blocks jumps by %i ms',
  async (jump) => {
    const cache = createBalanceCache()
    const client = connectChain(node.url, network.chainId)
    const holdings = owners(3).map((owner) => ({ owner, token: honest }))
    const cut = async (shift: number) => {
      await chain.chain.mine({ blocks: 1 })
      const head = await readHead()
      node.interfere()
      const timestamp = new Date(head.timestamp.getTime() + shift)
      const funds = await findBalances({ network, chain: client }, cache, { ...head, timestamp }, holdings)
      expect([...funds.values()]).toEqual(holdings.map(() => seven))
      return node.calls.filter(({ method }) => method === 'eth_call').length
    }
    expect([await cut(0), await cut(0), await cut(0)]).toEqual([1, 1, 0])
    expect([await cut(jump), await cut(jump), await cut(jump)]).toEqual([1, 1, 0])
  },
)

import { type Address, getContractAddress, pad } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { orderUidOf } from '#test/helpers/database/newOrder.ts'
import { NodeRefusal, type RpcCall, startBadNode } from '#tools/stack/chain/badNode.ts'
import { deploySettlementContracts } from '#tools/stack/chain/contracts/deploySettlementContracts.ts'
import { findRefusedSignatures, type SignatureCache } from './findRefusedSignatures.ts'

const network = networks.sepolia
const accepting: Address = '0x1271000000000000000000000000000000000001'
const refusing: Address = '0x1271000000000000000000000000000000000002'
const burning: Address = '0x1271000000000000000000000000000000000003'
const undeployed: Address = '0x1271000000000000000000000000000000000004'

let chain: TestChain

beforeAll(async () => {
  chain = await startTestChain()
  await deploySettlementContracts(chain.chain)
  // PUSH4 magic, PUSH1 224, SHL, MSTORE at 0, RETURN 32 bytes
  await chain.chain.setCode({ address: accepting, bytecode: '0x631626ba7e60e01b60005260206000f3' })
  await chain.chain.setCode({ address: refusing, bytecode: '0x60006000fd' })
  await chain.chain.setCode({ address: burning, bytecode: '0x5b600056' })
})
afterAll(() => chain?.stop())

const candidate = (seed: number, owner: Address, changes: Partial<Candidate['order']> = {}): Candidate => ({
  order: { ...filledOrder, signingScheme: 'eip1271', owner, uid: orderUidOf(seed, owner), ...changes },
  quote: null,
  funding: null,
  inFlight: false,
  sellInFlight: 0n,
  entered: false,
  newestLabel: null,
  newestReason: null,
  settlementFailures: null,
})
const open = { executedSellAmount: 0n, executedBuyAmount: 0n, executedFeeAmount: 0n }
const blockAt = (number: number) => ({ number, hash: pad(`0x${number}`), timestamp: new Date(0) })
const find = (cache: SignatureCache, number: number, candidates: Candidate[], rpcUrl = chain.rpcUrl) =>
  findRefusedSignatures(
    { network, chain: connectChain(rpcUrl, chain.chain.chain.id), simulate: simulateCalls(rpcUrl), maxGas: 8_000_000n },
    cache,
    blockAt(number),
    candidates,
  )

test('returns exactly the orders whose contract rejects the signature', async () => {
  const [good, bad, burner] = [candidate(1, accepting), candidate(2, refusing), candidate(3, burning)]
  const gone = candidate(4, undeployed)
  const refused = await find(new Map(), 1, [
    good,
    bad,
    burner,
    gone,
    candidate(5, refusing, { signingScheme: 'eip712' }),
  ])
  expect(refused).toEqual(new Set([bad.order.uid, burner.order.uid, gone.order.uid]))
})

test('a contract is asked in the block that contains the settlement, not in the newest one', async () => {
  const timely: Address = '0x1271000000000000000000000000000000000008'
  // accepts in block 51, and reverts in others
  await chain.chain.setCode({ address: timely, bytecode: '0x43603314600a575f5ffd5b631626ba7e60e01b60005260206000f3' })
  const order = candidate(1, timely)
  expect(await find(new Map(), 50, [order])).toEqual(new Set())
  expect(await find(new Map(), 51, [order])).toEqual(new Set([order.order.uid]))
})

/** The first call deploys a contract at an address that depends on nothing but its code and its deployer. */
const factory: Address = '0x1271000000000000000000000000000000000007'
/** `isValidSignature` of the deployed contract accepts everything. */
const wallet = '0x631626ba7e60e01b60005260206000f3'
/** PUSH16, MSTORE at 0, RETURN of the last 16 bytes of the word. */
const initCode = `0x6f${wallet.slice(2)}60005260106010f3` as const

test('an account without code accepts nothing, unless the pre-hooks of its own order deploy it', async () => {
  // CALLDATACOPY to memory, CREATE2 of it with salt 0
  await chain.chain.setCode({ address: factory, bytecode: '0x36600060003760003660006000f5' })
  const account = getContractAddress({ opcode: 'CREATE2', from: factory, salt: pad('0x0'), bytecode: initCode })
  const deploy = [{ target: factory, value: '0', callData: initCode }]
  const idle = [{ target: accepting, value: '0', callData: '0x' as const }]
  const deployed = candidate(1, account, { ...open, preInteractions: deploy })
  const hooked = candidate(2, account, { ...open, preInteractions: idle })
  const lazy = candidate(3, account)
  const reverting = candidate(4, account, {
    ...open,
    preInteractions: [{ target: refusing, value: '0', callData: '0x' }],
  })
  // its pre-hooks ran with its first trade
  const filled = candidate(5, account, { ...open, preInteractions: deploy, executedSellAmount: 1n })
  const refused = await find(new Map(), 1, [deployed, hooked, lazy, reverting, filled])
  expect(refused).toEqual(new Set([hooked, lazy, reverting, filled].map(({ order }) => order.uid)))
})

test('simulates sixteen orders with hooks per auction, and decides nothing without the node', async () => {
  const preInteractions = [{ target: accepting, value: '0', callData: '0x' as const }]
  const orders = Array.from({ length: 20 }, (_, seed) => candidate(seed, undeployed, { ...open, preInteractions }))
  const cache: SignatureCache = new Map()
  expect((await find(cache, 1, orders)).size).toBe(16)
  expect((await find(cache, 2, orders)).size).toBe(20)
  expect((await find(new Map(), 1, orders, 'http://127.0.0.1:9')).size).toBe(0)
})

test('checks a rejected signature again in the next block, an accepted one after twenty', async () => {
  const owner: Address = '0x1271000000000000000000000000000000000009'
  const orders = [candidate(1, owner)]
  const cache: SignatureCache = new Map()
  const become = async (bytecode: `0x${string}`) => chain.chain.setCode({ address: owner, bytecode })
  const refusedAt = async (number: number) => (await find(cache, number, orders)).size === 1
  await become('0x60006000fd')
  expect(await refusedAt(1)).toBe(true)
  await become('0x631626ba7e60e01b60005260206000f3')
  expect(await refusedAt(1)).toBe(true)
  expect(await refusedAt(2)).toBe(false)
  await become('0x60006000fd')
  expect(await refusedAt(21)).toBe(false)
  expect(await refusedAt(22)).toBe(true)
  await find(cache, 23, [])
  expect(cache.size).toBe(0)
})

test('checks a hundred per auction, the oldest checks first', async () => {
  const orders = Array.from({ length: 150 }, (_, seed) => candidate(seed, refusing))
  const cache: SignatureCache = new Map()
  expect((await find(cache, 1, orders)).size).toBe(100)
  expect((await find(cache, 2, orders)).size).toBe(150)
})

test('orders that are new in each block leave half of the checks to wallets that refused before', async () => {
  const owner: Address = '0x1271000000000000000000000000000000000007'
  const become = (bytecode: `0x${string}`) => chain.chain.setCode({ address: owner, bytecode })
  const preInteractions = [{ target: accepting, value: '0', callData: '0x' as const }]
  for (const [count, changes] of [
    [100, {}],
    [16, { ...open, preInteractions }],
  ] as const) {
    await become('0x60006000fd')
    const honest = candidate(1, owner, changes)
    const cache: SignatureCache = new Map()
    expect((await find(cache, 1, [honest])).size).toBe(1)
    await become('0x631626ba7e60e01b60005260206000f3')
    const fresh = Array.from({ length: count }, (_, seed) => candidate(10 + seed, refusing, changes))
    expect((await find(cache, 2, [...fresh, honest])).has(honest.order.uid)).toBe(false)
  }
})

test('a failing node is an error, never a rejection', async () => {
  const cache: SignatureCache = new Map()
  await expect(find(cache, 1, [candidate(1, accepting)], 'http://127.0.0.1:9')).rejects.toThrow()
  expect(cache.size).toBe(0)
})

test('checks an honest wallet beside a hundred that burn all gas, in a bounded number of calls', async () => {
  const node = await startBadNode(chain.rpcUrl)
  const wallets = Array.from({ length: 100 }, (_, seed) => candidate(seed + 10, burning))
  const [good, bad] = [candidate(1, accepting), candidate(2, refusing)]
  const cache: SignatureCache = new Map()
  try {
    for (let block = 1; block <= 3; block += 1) {
      node.interfere()
      const refused = await find(cache, block, [good, bad, ...wallets], node.url)
      expect([refused.has(good.order.uid), refused.has(bad.order.uid)]).toEqual([false, true])
      expect(node.calls.length).toBeLessThanOrEqual(36)
      // eight at a time; the verdict of admission remains for the others until there is time for them
      expect(refused.size).toBe(1 + 8 * block)
    }
  } finally {
    node.close()
  }
})

test('a wallet that needs much gas gets it', async () => {
  const heavy: Address = '0x1271000000000000000000000000000000000005'
  // a loop of 900,000 gas, then the result
  const bytecode = `0x6190005b6001900380600357631626ba7e60e01b60005260206000f3` as const
  await chain.chain.setCode({ address: heavy, bytecode })
  expect((await find(new Map(), 1, [candidate(1, heavy)])).size).toBe(0)
})

test('checks a rejecting wallet after 1, 2, 4 … blocks, at most twenty', async () => {
  const cache: SignatureCache = new Map()
  const asked: number[] = []
  for (let block = 1; block <= 80; block += 1) {
    await find(cache, block, [candidate(1, refusing)])
    const [known] = cache.values()
    if (known?.block === block) asked.push(block)
  }
  expect(asked).toEqual([1, 2, 4, 8, 16, 32, 52, 72])
}, 60_000)

test('a wallet that accepted before has its turn before those that reject repeatedly', async () => {
  const heavy: Address = '0x1271000000000000000000000000000000000006'
  await chain.chain.setCode({ address: heavy, bytecode: `0x6190005b6001900380600357631626ba7e60e01b60005260206000f3` })
  const wallets = Array.from({ length: 8 }, (_, seed) => candidate(seed + 10, burning))
  const honest = candidate(1, heavy)
  const cache: SignatureCache = new Map(
    wallets.map(({ order }) => [order.uid, { accepted: false, block: 1, refusals: 5 }]),
  )
  cache.set(honest.order.uid, { accepted: true, block: 2, refusals: 0 })
  await find(cache, 30, [...wallets, honest])
  expect(cache.get(honest.order.uid)).toEqual({ accepted: true, block: 30, refusals: 0 })
})

test('a result of a block that a reorganisation removed is found again', async () => {
  const order = candidate(1, refusing)
  const cache: SignatureCache = new Map([[order.order.uid, { accepted: true, block: 50, refusals: 0 }]])
  expect((await find(cache, 49, [order])).size).toBe(1)
})

test('sends no request after four seconds, and the verdict of admission remains', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort())
  try {
    const cache: SignatureCache = new Map()
    expect((await find(cache, 1, [candidate(1, refusing)])).size).toBe(0)
    expect(cache.size).toBe(0)
    expect(timeout.mock.calls[0]).toEqual([4_000])
  } finally {
    timeout.mockRestore()
  }
})

test.each([
  { gas: 400_000, step: 'first', maxCalls: 24, owner: refusing },
  { gas: 8_000_000, step: 'second', maxCalls: 12, owner: burning },
])(
  'a node that fails every batch receives at most $maxCalls calls for the $step checks',
  async ({ gas, maxCalls, owner }) => {
    const node = await startBadNode(chain.rpcUrl)
    // the gas of each call of a batch; a call without contracts is a batch as well
    const isOfStep = (call: RpcCall) => JSON.stringify(call.params).includes(gas.toString(16).padStart(16, '0'))
    node.interfere((call, forward) => {
      if (!isOfStep(call) || !JSON.stringify(call.params).includes(owner.slice(2))) return forward()
      throw new NodeRefusal({ error: { code: -32_000, message: 'out of memory' } })
    })
    try {
      const wallets = Array.from({ length: 100 }, (_, seed) => candidate(seed, owner))
      await find(new Map(), 1, wallets, node.url)
      const asked = node.calls.filter(isOfStep)
      expect(asked.length).toBeGreaterThan(maxCalls / 4)
      expect(asked.length).toBeLessThanOrEqual(maxCalls)
    } finally {
      node.close()
    }
  },
)

import { type Address, encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, parseEther, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { openSql } from '#test/helpers/solvers/solverMarket.ts'
import { deployTestTokens, type TestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { advanceHolders } from './advanceHolders.ts'
import type { HolderIndexDeps } from './holderIndexDeps.ts'
import { openHolderStore } from './holderStore.ts'

const minter = devAccounts[7].address.toLowerCase() as Address
const weth = networks.sepolia.wrappedNative
const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function deposit() payable',
  'function withdraw(uint256 amount)',
])

let chain: TestChain
let tokens: TestTokens
let nextAccount = 1

beforeAll(async () => {
  chain = await startTestChain()
  tokens = await deployTestTokens(chain.chain)
})

afterAll(() => chain.stop())

let snapshot: `0x${string}`
beforeEach(async () => {
  snapshot = await chain.chain.snapshot()
  return async () => chain.chain.revert({ id: snapshot })
})

const account = (): Address => `0x${(nextAccount++).toString(16).padStart(40, 'a')}`

const open = (changes: Partial<HolderIndexDeps> = {}): HolderIndexDeps => ({
  chain: connectChain(chain.rpcUrl, networks.sepolia.chainId),
  store: openHolderStore(openSql()),
  token: tokens.USDC.address,
  startBlock: 0,
  shown: 0,
  span: { blocks: 2_000 },
  now: Date.now,
  ...changes,
})
const advance = (index: HolderIndexDeps) => advanceHolders(index, index.now() + 60_000)
const holdersOf = async (index: HolderIndexDeps) => {
  expect(await advance(index)).toBe(true)
  return index.store.findLargest(100)
}

const transfer = (to: Address, amount: bigint, from: Address = minter, token = tokens.USDC.address) =>
  sendFrom(chain.chain, from, {
    to: token,
    data: encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] }),
  })
const reorganise = (depth: number) => chain.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never)

/** initial USDC atoms of the minter */
const whole = 10n ** 15n
/** storage slot of the test tokens' mapping from account to balance */
const balancesSlot = 2n

test('lists all holders, the largest first, to the atom', async () => {
  const [a, b] = [account(), account()]
  const token = tokens.DAI.address
  await transfer(a, 2n ** 53n, minter, token)
  await transfer(b, 2n ** 53n + 1n, minter, token)
  expect(await holdersOf(open({ token }))).toEqual([
    { address: minter, balance: 10n ** 27n - 2n ** 54n - 1n },
    { address: b, balance: 2n ** 53n + 1n },
    { address: a, balance: 2n ** 53n },
  ])
})

test('follows the chain: changed balances are read again, empty accounts are removed', async () => {
  const [a, b] = [account(), account()]
  const index = open()
  await transfer(a, 7n)
  await holdersOf(index)
  await chain.chain.impersonateAccount({ address: a })
  await chain.chain.setBalance({ address: a, value: parseEther('1') })
  await transfer(b, 7n, a)
  expect(await holdersOf(index)).toEqual([
    { address: minter, balance: whole - 7n },
    { address: b, balance: 7n },
  ])
})

test('finds holders from deposits and withdrawals without transfers, and none from approvals', async () => {
  const [a, b] = devAccounts.map(({ address }) => address.toLowerCase() as Address)
  if (!a || !b) throw new Error('no accounts')
  const index = open({ token: weth })
  expect(await holdersOf(index)).toEqual([])
  await sendFrom(chain.chain, a, { to: weth, value: 9n })
  await sendFrom(chain.chain, b, { to: weth, value: 4n, data: encodeFunctionData({ abi, functionName: 'deposit' }) })
  const args = [account(), 100n] as const
  await sendFrom(chain.chain, a, { to: weth, data: encodeFunctionData({ abi, functionName: 'approve', args }) })
  expect(await holdersOf(index)).toEqual([
    { address: a, balance: 9n },
    { address: b, balance: 4n },
  ])
  const data = encodeFunctionData({ abi, functionName: 'withdraw', args: [6n] })
  await sendFrom(chain.chain, a, { to: weth, data })
  expect(await holdersOf(index)).toEqual([
    { address: b, balance: 4n },
    { address: a, balance: 3n },
  ])
})

test('a reorganisation rewinds removed blocks, also for accounts that the new branch does not name', async () => {
  const [a, b] = [account(), account()]
  const index = open()
  await transfer(a, 7n)
  expect(await holdersOf(index)).toHaveLength(2)
  await transfer(b, 3n)
  await transfer(b, 2n)
  expect(await holdersOf(index)).toContainEqual({ address: b, balance: 5n })
  await reorganise(2)
  expect(await holdersOf(index)).toEqual([
    { address: minter, balance: whole - 7n },
    { address: a, balance: 7n },
  ])
})

test('balances read on a removed branch are read again, regardless of the age of their log', async () => {
  const [a, b] = [account(), account()]
  await transfer(a, 7n)
  await chain.chain.mine({ blocks: 8 })
  await chain.chain.impersonateAccount({ address: a })
  await chain.chain.setBalance({ address: a, value: parseEther('1') })
  const index = open()
  await holdersOf(index)
  await transfer(b, 7n, a)
  expect(await holdersOf(index)).toContainEqual({ address: b, balance: 7n })
  await reorganise(1)
  expect(await holdersOf(index)).toEqual([
    { address: minter, balance: whole - 7n },
    { address: a, balance: 7n },
  ])
})

test('a chain without a common block is indexed from the beginning', async () => {
  const [a, b] = [account(), account()]
  const index = open()
  await chain.chain.mine({ blocks: 2 })
  await transfer(a, 7n)
  await holdersOf(index)
  await reorganise(3)
  await transfer(b, 3n)
  expect(await holdersOf(index)).toEqual([
    { address: minter, balance: whole - 3n },
    { address: b, balance: 3n },
  ])
})

test('a head behind the index is accepted, and later blocks are indexed', async () => {
  const a = account()
  const index = open()
  await holdersOf(index)
  const earlier = await chain.chain.snapshot()
  await transfer(a, 7n)
  await holdersOf(index)
  await chain.chain.revert({ id: earlier })
  expect(await holdersOf(index)).toEqual([{ address: minter, balance: whole }])
  await transfer(a, 2n)
  expect(await holdersOf(index)).toContainEqual({ address: a, balance: 2n })
})

test('an interrupted run is incomplete, and the next run continues it', async () => {
  const recipients = Array.from({ length: 5 }, account)
  for (const [i, to] of recipients.entries()) await transfer(to, BigInt(i + 1))
  let now = 0
  const index = open({ span: { blocks: 1 }, now: () => now++ })
  let runs = 1
  for (; !(await advanceHolders(index, now + 2)); runs += 1) expect(runs).toBeLessThan(50)
  expect(runs).toBeGreaterThan(2)
  expect(index.store.findLargest(100)).toHaveLength(6)
})

test('the block span shrinks when a log query fails, and a failing node changes nothing', async () => {
  const real = connectChain(chain.rpcUrl, networks.sepolia.chainId)
  const weak: typeof real = {
    ...real,
    getLogs: async (filter) => {
      const { fromBlock, toBlock } = filter as { fromBlock: bigint; toBlock: bigint }
      if (toBlock - fromBlock >= 8n) throw new Error('too many blocks')
      return real.getLogs(filter as never) as never
    },
  }
  await chain.chain.mine({ blocks: 60 })
  const index = open({ chain: weak })
  let failed = 0
  for (let isComplete = false; !isComplete; ) {
    isComplete = await advance(index).catch((error: Error) => {
      expect(error.message).toBe('too many blocks')
      failed += 1
      return false
    })
    expect(failed).toBeLessThan(40)
  }
  const complete = index.store.findLargest(100)
  expect(complete).toEqual([{ address: minter, balance: whole }])
  const dead = { ...index, chain: connectChain('http://127.0.0.1:9', networks.sepolia.chainId) }
  await expect(advance(dead)).rejects.toThrow()
  expect(index.store.findLargest(100)).toEqual(complete)
})

test('a branch that is replaced during a read leaves no trace', async () => {
  const a = account()
  const index = open()
  await holdersOf(index)
  await transfer(a, 7n)
  const switching: HolderIndexDeps['chain'] = {
    ...index.chain,
    getLogs: async (filter) => {
      const logs = await index.chain.getLogs(filter as never)
      await reorganise(1)
      return logs as never
    },
  }
  await expect(advance({ ...index, chain: switching })).rejects.toThrow('moved')
  expect(index.store.findLargest(100)).toEqual([{ address: minter, balance: whole }])
  expect(await holdersOf(index)).toEqual([{ address: minter, balance: whole }])
})

test('the largest balances are read again on each run, for tokens that change balances without events', async () => {
  const index = open({ shown: 1 })
  // the log of its tokens is too old to be read again
  await chain.chain.mine({ blocks: 8 })
  await holdersOf(index)
  await chain.chain.setStorageAt({
    address: tokens.USDC.address,
    index: keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [minter, balancesSlot])),
    value: toHex(9n, { size: 32 }),
  })
  await chain.chain.mine({ blocks: 1 })
  expect(await holdersOf(index)).toEqual([{ address: minter, balance: 9n }])
})

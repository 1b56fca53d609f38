import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, parseAbi, parseGwei } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { findPort } from '../../processes/findPort.ts'
import { type Reaper, startReaper } from '../../processes/startReaper.ts'
import { devAccounts } from '../devAccounts.ts'
import { type PreparedChain, prepareChain } from '../prepareChain.ts'
import { type Anvil, startAnvil } from '../startAnvil.ts'
import type { HarshOptions } from './harshOptions.ts'
import { startHarshChain } from './startHarshChain.ts'

const { chainId } = networks.sepolia
const account = devAccounts[8].address
let dir: string
let reaper: Reaper
let anvil: Anvil
let prepared: PreparedChain
let snapshot: Hex

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'harsh-'))
  await mkdir(join(dir, 'logs'))
  reaper = startReaper()
  anvil = await startAnvil({ dir, port: await findPort(0, 'RPC_PORT'), chainId, blockTime: 3_600, reaper })
  prepared = await prepareChain(anvil.chain, { solvers: [account], traders: [] })
  snapshot = await anvil.chain.snapshot()
})
beforeEach(async () => {
  await anvil.chain.revert({ id: snapshot })
  snapshot = await anvil.chain.snapshot()
  await anvil.chain.setAutomine(true)
})
afterAll(async () => {
  await anvil?.stop()
  reaper?.close()
  await rm(dir, { recursive: true, force: true })
})

const pairAbi = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
])

const readReserves = async () => {
  const { tokens, contracts } = prepared
  const args = [tokens.WETH.address, tokens.USDC.address] as const
  const read = { abi: pairAbi, address: contracts.uniswapV2Factory } as const
  const address = await anvil.chain.readContract({ ...read, functionName: 'getPair', args })
  const [a, b] = await anvil.chain.readContract({ abi: pairAbi, address, functionName: 'getReserves' })
  return [a, b]
}

const start = (options: Partial<HarshOptions> = {}) =>
  startHarshChain(anvil.chain, prepared, {
    seed: 1,
    competitors: [{ dollars: 3, everyBlocks: [1, 1], tipGwei: 3 }],
    swingsBaseFee: true,
    ...options,
  })

/** Sends a transfer with the fees of a settlement: a tip of one gwei and twice the base fee as its cap. */
const sendLikeSolver = async () => {
  const { baseFeePerGas } = await anvil.chain.getBlock()
  const maxPriorityFeePerGas = parseGwei('1')
  const maxFeePerGas = 2n * (baseFeePerGas ?? 0n) + maxPriorityFeePerGas
  return anvil.chain.sendTransaction({ account, to: account, maxPriorityFeePerGas, maxFeePerGas })
}

/** Tips of the transactions in the newest block in wei, in their order, and the place of one of them. */
const readBlock = async (hash: Hex) => {
  const { transactions } = await anvil.chain.getBlock({ includeTransactions: true })
  const tips = transactions.map(({ maxPriorityFeePerGas }) => maxPriorityFeePerGas ?? 0n)
  return { tips, place: transactions.findIndex((transaction) => transaction.hash === hash) }
}

test('a settlement waits for its block, behind the swaps with higher tips', async () => {
  const harsh = await start()
  const hash = await sendLikeSolver()
  expect((await anvil.chain.getTransaction({ hash })).blockNumber).toBeNull()
  await harsh.mine()
  const { tips, place } = await readBlock(hash)
  expect(tips).toEqual(tips.toSorted((a, b) => Number(b - a)))
  expect(place).toBeGreaterThanOrEqual(6)
  expect(await harsh.findSwapSuccess()).toBe(1)
})

test('the same seed gives the same prices and base fees', async () => {
  const run = async (seed: number) => {
    await anvil.chain.revert({ id: snapshot })
    snapshot = await anvil.chain.snapshot()
    await anvil.chain.setAutomine(true)
    const harsh = await start({ seed })
    const states: unknown[] = []
    for (let i = 0; i < 3; i++) {
      await harsh.mine()
      states.push([await readReserves(), (await anvil.chain.getBlock()).baseFeePerGas])
    }
    return states
  }
  const first = await run(7)
  expect(await run(7)).toEqual(first)
  expect(await run(8)).not.toEqual(first)
})

test('an interval mines blocks, of less than a second too', async () => {
  const harsh = await start({ competitors: [], blockSeconds: 0.05 })
  const first = await anvil.chain.getBlockNumber()
  await expect.poll(() => anvil.chain.getBlockNumber(), { timeout: 10_000 }).toBeGreaterThan(first + 3n)
  await harsh.stop()
  const last = await anvil.chain.getBlockNumber()
  await sendLikeSolver()
  expect(await anvil.chain.getBlockNumber()).toBe(last)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { createRandom } from '../../createRandom.ts'
import { type BadNode, startBadNode } from '../badNode.ts'
import { connectLocalChain, type LocalChain } from '../connectLocalChain.ts'
import { devAccounts } from '../devAccounts.ts'
import { waitForReceipt } from '../waitForReceipt.ts'
import { createNodeFaults } from './createNodeFaults.ts'

const none = { maxLagBlocks: 0, latencyMs: 0, limitedShare: 0, missingMethods: [] }
const address = devAccounts[0].address
let chain: TestChain
let node: BadNode
let client: LocalChain
let head: number

beforeAll(async () => {
  chain = await startTestChain()
  await chain.chain.mine({ blocks: 8 })
  node = await startBadNode(chain.rpcUrl)
  client = connectLocalChain(node.url, await chain.chain.getChainId())
  head = Number(await chain.chain.getBlockNumber())
})
afterAll(async () => {
  node?.close()
  await chain?.stop()
})

/** Every backend is `blocks` behind. */
const lag = (blocks: number) => node.interfere(createNodeFaults({ ...none, maxLagBlocks: blocks }, () => 0.999))

describe('a backend that is three blocks behind', () => {
  test('has an older head and state', async () => {
    lag(3)
    expect(Number(await client.getBlockNumber())).toBe(head - 3)
    expect(Number((await client.getBlock()).number)).toBe(head - 3)
    await chain.chain.setBalance({ address, value: 5n })
    await chain.chain.mine({ blocks: 1 })
    head += 1
    expect(await client.getBalance({ address })).not.toBe(5n)
    lag(0)
    expect(await client.getBalance({ address })).toBe(5n)
  })

  test('does not know later blocks, transactions and receipts', async () => {
    await chain.chain.setBalance({ address, value: 10n ** 20n })
    const hash = await chain.chain.sendTransaction({ account: address, to: address })
    head += 1
    const { blockHash } = await waitForReceipt(chain.chain, hash)
    lag(3)
    await expect(client.getBlock({ blockNumber: BigInt(head) })).rejects.toThrow('not be found')
    await expect(client.getBlock({ blockHash })).rejects.toThrow('not be found')
    await expect(client.getTransactionReceipt({ hash })).rejects.toThrow('not be found')
    await expect(client.getBalance({ address, blockNumber: BigInt(head) })).rejects.toThrow('header not found')
    lag(0)
    expect((await client.getTransactionReceipt({ hash })).blockHash).toBe(blockHash)
  })

  test('leaves logs of later blocks out of a range, and refuses them by hash', async () => {
    const wrapped = { account: address, to: '0xfff9976782d46cc05630d1f6ebab18b2324d6b14', value: 1n } as const
    const hash = await chain.chain.sendTransaction(wrapped)
    head += 1
    const { blockHash } = await waitForReceipt(chain.chain, hash)
    const range = { fromBlock: BigInt(head - 2), toBlock: BigInt(head) }
    lag(1)
    expect(await client.getLogs(range)).toEqual([])
    await expect(client.getLogs({ blockHash })).rejects.toThrow('unknown block')
    lag(0)
    expect(await client.getLogs(range)).toHaveLength(1)
    expect(await client.getLogs({ blockHash })).toHaveLength(1)
  })
})

test('different requests meet different backends, the same for the same seed', async () => {
  const findHeads = async (seed: number) => {
    node.interfere(createNodeFaults({ ...none, maxLagBlocks: 3 }, createRandom(seed)))
    const heads: number[] = []
    for (let i = 0; i < 60; i++) heads.push(Number(await client.getBlockNumber()))
    return heads
  }
  const heads = await findHeads(1)
  expect(new Set(heads)).toEqual(new Set([head, head - 1, head - 2, head - 3]))
  expect(await findHeads(1)).toEqual(heads)
  expect(await findHeads(2)).not.toEqual(heads)
})

test('a share of requests is limited, and methods are missing', async () => {
  node.interfere(createNodeFaults({ ...none, limitedShare: 0.5, missingMethods: ['eth_gasPrice'] }, createRandom(1)))
  const results: string[] = []
  for (let i = 0; i < 20; i++)
    results.push(await client.getGasPrice().then(String, ({ message }: Error) => message.replaceAll('\n', ' ')))
  expect(results.filter((result) => result.includes('not available on your plan')).length).toBeGreaterThan(4)
  expect(results.filter((result) => result.includes('429')).length).toBeGreaterThan(4)
})

import { type Address, slice } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { type BadNode, type Interference, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { type Simulate, simulateCalls } from './simulateCalls.ts'

let node: BadNode
let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
  // anvil simulates on its first block with another time
  await chain.chain.mine({ blocks: 2 })
  node = await startBadNode(chain.rpcUrl)
})
afterAll(async () => {
  node?.close()
  await chain?.stop()
})

const simulate = (refusal: NodeRefusal['answer']) => {
  node.interfere(() => {
    throw new NodeRefusal(refusal)
  })
  return simulateCalls(node.url)([], {}, AbortSignal.timeout(10_000))
}

test.each<[string, NodeRefusal['answer']]>([
  ['an unknown method', { error: { code: -32_601, message: 'the method does not exist' } }],
  ['an unsupported method', { error: { code: -32_004, message: 'method not supported' } }],
  ['another plan', { error: { code: -32_600, message: 'eth_simulateV1 is not available on your plan' } }],
  ['a free tier', { error: { code: 35, message: 'method is not available on freetier' } }],
  ['a forbidden method', { status: 403 }],
])('a node that refuses with %s cannot simulate', async (_, refusal) => {
  await expect(simulate(refusal)).rejects.toMatchObject({ reason: 'nodeCannotSimulate' })
})

test.each<[string, NodeRefusal['answer']]>([
  ['an internal error', { error: { code: -32_603, message: 'internal error' } }],
  ['a rate limit', { status: 429 }],
  ['an error status', { status: 502 }],
])('a node that responds with %s is unavailable', async (_, refusal) => {
  await expect(simulate(refusal)).rejects.toMatchObject({ reason: 'nodeUnavailable' })
})

type SimulateParams = [{ blockStateCalls: object[] }, string]

/** A node as the method is specified: the first block comes after that of the state, and names it. */
const asSpecified: Interference = async ({ method, params }, forward) => {
  const [request, tag] = params as SimulateParams
  if (method !== 'eth_simulateV1') return forward()
  const blockStateCalls = [{ calls: [] }, ...request.blockStateCalls]
  const [, ...blocks] = (await forward({ method, params: [{ ...request, blockStateCalls }, tag] })) as object[]
  return blocks.map((block) => ({ ...block, parentHash: `0x${'ab'.repeat(32)}` }))
}

describe.each<[string, Interference | undefined, number]>([
  ['a node as specified', asSpecified, 1],
  // what the node did before was wrong
  ['a node that begins with the newest block', undefined, 2],
  ['a node as specified after it', asSpecified, 2],
])('at %s', (_, interference, firstRequests) => {
  const to: Address = '0x0000000000000000000000000000000000000b0b'
  // returns number and time of its block
  const code = { [to]: { code: '0x435f524260205260405ff3' } } as const
  const readBlock = async (place?: Parameters<Simulate>[3]) => {
    const { block, results } = await simulateCalls(node.url)([{ to, data: '0x' }], code, signal, place)
    const { returnData = '0x' } = results[0] ?? {}
    return { block, number: Number(slice(returnData, 0, 32)), time: Number(slice(returnData, 32, 64)) }
  }
  const signal = AbortSignal.timeout(60_000)

  test('calls run in the block that contains a transaction sent now, in the one after it, or in a past one', async () => {
    const { number, timestamp } = await chain.chain.getBlock()
    const [head, time] = [Number(number), Number(timestamp)]
    node.interfere(interference)
    const next = await readBlock()
    expect(next).toEqual({ block: head + 1, number: head + 1, time: expect.any(Number) })
    expect(next.time).toBeGreaterThan(time)
    expect(node.calls).toHaveLength(firstRequests)
    expect(await readBlock('later')).toMatchObject({ block: head + 2, number: head + 2 })
    // what the node does is known by now
    expect(node.calls).toHaveLength(firstRequests + 1)
    const past = { block: head, timestamp: time, transactions: [] }
    expect(await readBlock(past)).toEqual({ block: head, number: head, time })
  })
})

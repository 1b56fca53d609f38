import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { simulateCalls } from './simulateCalls.ts'

let node: BadNode
beforeAll(async () => {
  node = await startBadNode('http://127.0.0.1:1')
})
afterAll(() => node?.close())

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

import { afterEach, describe, expect, test } from 'vitest'
import { connectChain } from '#shared/chain/connectChain.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { computePause } from './computePause.ts'

let node: BadNode
afterEach(() => node.close())

/** Error of a request to a node that refuses like this. */
const ask = async (refusal: NodeRefusal['answer']): Promise<unknown> => {
  node = await startBadNode('http://127.0.0.1:9')
  node.interfere(() => {
    throw new NodeRefusal(refusal)
  })
  return connectChain(node.url)
    .getBlockNumber()
    .catch((error: unknown) => error)
}
const limited = { code: -32_005, message: 'daily request count exceeded' }

describe('computePause', () => {
  test.each([
    ['as long as a node says', { status: 429, headers: { 'Retry-After': '7' } }, 0, 7_000],
    ['never longer than half a minute', { status: 429, headers: { 'Retry-After': '3600' } }, 0, 30_000],
    ['a second without a word of the node', { status: 429 }, 0, 1_000],
    ['longer each time', { status: 429 }, 3, 8_000],
    ['at most half a minute', { error: limited }, 100, 30_000],
    ['for the JSON-RPC error too', { error: limited }, 0, 1_000],
    ['as a 429 whatever its body', { status: 429, error: limited }, 1, 2_000],
    ['not at all for another failure', { status: 502 }, 0, 0],
    ['not at all for another error', { error: { code: -32_000, message: 'unknown block' } }, 0, 0],
  ])('waits %s', async (_, refusal, times, expected) => {
    expect(computePause(await ask(refusal), times)).toBe(expected)
  })
})

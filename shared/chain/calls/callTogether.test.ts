import { type Address, type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeReturning, hostileCode, hostileNames } from '#test/helpers/chain/hostileCode.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { type BadNode, NodeRefusal, startBadNode } from '#tools/stack/chain/badNode.ts'
import { connectChain } from '../connectChain.ts'
import { type CallBounds, callTogether } from './callTogether.ts'

const honest: Address = '0x1271000000000000000000000000000000000001'
const burning: Address = '0x1271000000000000000000000000000000000002'
const addressOf = (index: number): Address => `0x${(0xbad0000 + index).toString(16).padStart(40, '0')}`
const seven = pad('0x7')

let chain: TestChain
let node: BadNode

beforeAll(async () => {
  chain = await startTestChain()
  node = await startBadNode(chain.rpcUrl)
  await chain.chain.setCode({ address: honest, bytecode: codeReturning(7n) })
  await chain.chain.setCode({ address: burning, bytecode: hostileCode['infinite loop'] })
  for (const [i, name] of hostileNames.entries())
    await chain.chain.setCode({ address: addressOf(i), bytecode: hostileCode[name] })
})
afterAll(async () => {
  node?.close()
  await chain?.stop()
})
beforeEach(() => node.interfere())

const ask = (targets: Address[], bounds: Partial<CallBounds> = {}) =>
  callTogether(
    connectChain(node.url),
    targets.map((target) => ({ target, callData: '0x12345678' as const })),
    { gasEach: 100_000n, ...bounds },
  )

describe('callTogether', () => {
  test.each(hostileNames)('isolates "%s" from the calls around it', async (name) => {
    const hostile = addressOf(hostileNames.indexOf(name))
    const outcomes = await ask([honest, hostile, honest, hostile, honest])
    expect([outcomes[0], outcomes[2], outcomes[4]]).toEqual([seven, seven, seven])
    expect(outcomes[1]).toBe(outcomes[3])
    expect(outcomes[1]).not.toBe('notRequested')
    expect(node.calls).toHaveLength(1)
  })

  test('distinguishes a revert from a lack of gas', async () => {
    const [bad, heavy] = ['revert', 'revert bomb'] as const
    const targets = [bad, heavy].map((name) => addressOf(hostileNames.indexOf(name)))
    expect(await ask([...targets, burning])).toEqual(['failed', 'failed', 'exhausted'])
    expect(await ask([...targets, burning], { gasEach: 30_000n })).toEqual(['failed', 'exhausted', 'exhausted'])
  })

  test('returns what fits of long return data', async () => {
    const bomb = addressOf(hostileNames.indexOf('return bomb'))
    const [data] = await ask([bomb], { gasEach: 1_000_000n, maxBytes: 100 })
    expect(data).toBe(`0x${'00'.repeat(100)}`)
  })

  test('treats an account without code as one that returns nothing', async () => {
    expect(await ask(['0x1271000000000000000000000000000000000099'])).toEqual(['0x'])
  })

  test('makes 1,000 honest calls in two requests', async () => {
    const outcomes = await ask(Array.from({ length: 1_000 }, () => honest))
    expect(outcomes.every((outcome) => outcome === seven)).toBe(true)
    expect(node.calls).toHaveLength(2)
  })

  test('gives each of 400 calls its gas although most burn it', async () => {
    const targets = Array.from({ length: 400 }, (_, i) => (i % 5 === 4 ? honest : burning))
    const outcomes = await ask(targets)
    expect(outcomes.map((outcome) => outcome === seven)).toEqual(targets.map((target) => target === honest))
    expect(outcomes).not.toContain('notRequested')
    expect(node.calls.length).toBeLessThan(6)
  })

  test('stops at its bound of requests and says which calls were not made', async () => {
    const outcomes = await ask(
      Array.from({ length: 400 }, () => burning),
      { maxRequests: 2 },
    )
    expect(node.calls).toHaveLength(2)
    expect(new Set(outcomes)).toEqual(new Set(['exhausted', 'notRequested']))
    expect(await ask([honest], { signal: AbortSignal.abort() })).toEqual(['notRequested'])
  })

  test('fails a call that changes state, since it could change what others read', async () => {
    expect(await ask([addressOf(hostileNames.indexOf('writes storage'))])).toEqual(['exhausted'])
  })

  test('makes a call whose data no creation code has room for alone', async () => {
    const callData: Hex = `0x${'ab'.repeat(60_000)}`
    const call = (target: Address) => ({ target, callData })
    const outcomes = await callTogether(
      connectChain(node.url),
      [call(honest), { target: honest, callData: '0x12' }, call(burning)],
      { gasEach: 100_000n },
    )
    expect(outcomes).toEqual([seven, seven, 'failed'])
  })

  const mentions = (params: unknown[], address: Address) => JSON.stringify(params).includes(address.slice(2))
  const refuseCalls = (answer: NodeRefusal['answer'], isRefused: (params: unknown[]) => boolean) =>
    node.interfere(({ method, params }, forward) => {
      if (method === 'eth_call' && isRefused(params)) throw new NodeRefusal(answer)
      return forward()
    })

  test.each([
    ['an error of its own', { error: { code: -32_000, message: 'execution aborted (timeout = 5s)' } }],
    ['a status', { status: 502 }],
    ['an error that otherwise means an outage', { error: { code: -32_000, message: 'header not found' } }],
  ])('finds the one contract that the node responds to with %s', async (_, answer) => {
    refuseCalls(answer, (params) => mentions(params, burning))
    const outcomes = await ask([...Array.from({ length: 20 }, () => honest), burning, honest])
    expect(outcomes.map((outcome) => outcome === seven)).toEqual([...Array(20).fill(true), false, true])
    expect(outcomes[20]).toBe('failed')
    expect(node.calls.length).toBeLessThan(40)
  })

  test.each([
    ['an unknown error', { error: { code: -32_000, message: 'leveldb: closed' } }],
    ['a rate limit', { status: 429 }],
    ['a status', { status: 503 }],
  ])('rejects when the node responds to everything with %s', async (_, answer) => {
    refuseCalls(answer, () => true)
    await expect(ask([honest, burning])).rejects.toThrow()
    expect(node.calls.length).toBeLessThan(5)
  })

  test('a node that fails now and then makes no contract look broken', async () => {
    let refused = 0
    refuseCalls({ status: 502 }, (params) => {
      if (mentions(params, honest)) refused += 1
      return mentions(params, honest) && refused < 5
    })
    expect(await ask([honest])).toEqual([seven])
  })

  test('makes every call on the block that is named', async () => {
    await ask([honest], { blockNumber: 0n })
    expect(node.calls[0]?.params[1]).toBe(numberToHex(0))
  })
})

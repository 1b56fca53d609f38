import { expect, test } from 'vitest'
import { createMethodGaps, toRefusal } from './methodGaps.ts'

const nodes = ['https://one.example', 'https://two.example']

test('a node that refused a method comes last for it, for ten minutes', () => {
  let now = 0
  const gaps = createMethodGaps(() => now)
  gaps.learn('https://one.example', 'eth_simulateV1')
  expect(gaps.sort(nodes, 'eth_simulateV1')).toEqual(nodes.toReversed())
  expect(gaps.sort(nodes, 'eth_call')).toEqual(nodes)
  now = 10 * 60_000
  expect(gaps.sort(nodes, 'eth_simulateV1')).toEqual(nodes)
})

test.each([
  ['an unknown method', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}', 200, true],
  ['an unknown method of a batch', '[{"jsonrpc":"2.0","id":1,"error":{"message":"x","code":-32004}}]', 404, true],
  ['a status of its own', 'no', 403, true],
  ['a revert', '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted"}}', 200, false],
  ['a result', '{"jsonrpc":"2.0","id":1,"result":{"error":{"code":-32601}}}', 200, false],
  ['a limit', '{"error":{"code":-32601}}', 429, false],
  ['nothing', '', 200, false],
])('%s', async (_, body, status, isRefusal) => {
  const found = await toRefusal(new Response(body, { status }))
  expect(found.isRefusal).toBe(isRefusal)
  expect([found.response.status, await found.response.text()]).toEqual([status, body])
})

test('a long response stays whole, whatever it begins with', async () => {
  const parts = ['{"result":"', 'ab'.repeat(50_000), '"}']
  const body = new Response(new Blob(parts)).body
  const { response, isRefusal } = await toRefusal(new Response(body))
  expect(isRefusal).toBe(false)
  expect(await response.text()).toBe(parts.join(''))
})

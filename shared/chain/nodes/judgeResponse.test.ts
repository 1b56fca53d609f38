import { expect, test } from 'vitest'
import { judgeResponse, type Verdict } from './judgeResponse.ts'

const error = (code: number, message: string, data?: unknown) =>
  JSON.stringify({ id: 1, error: { code, message, data } })
const revertData = `0x08c379a0${'0'.repeat(64)}`

test.each<[name: string, body: string, status: number, method: string, verdict: Verdict]>([
  ['an unknown method', error(-32_601, 'x'), 200, 'eth_call', 'refusal'],
  ['an unknown method of a batch', `[${error(-32_004, 'x')}]`, 404, 'eth_call', 'refusal'],
  ['a status of its own', 'no', 403, 'eth_call', 'refusal'],
  ['a revert', error(3, 'execution reverted'), 200, 'eth_call', 'good'],
  ['a revert that reads like an outage', error(-32_000, 'header not found', revertData), 200, 'eth_call', 'good'],
  ['a reason of a contract', error(-32_000, 'execution reverted: header not found'), 200, 'eth_call', 'good'],
  ['a head that the node does not have', error(-32_000, 'header not found'), 200, 'eth_call', 'failure'],
  ['a state that the node does not have', error(-32_000, 'missing trie node 12 (path )'), 200, 'eth_call', 'failure'],
  ['logs of an unknown block', error(-32_000, 'unknown block'), 200, 'eth_getLogs', 'failure'],
  ['a limit in the body', error(-32_005, 'slow down'), 200, 'eth_call', 'failure'],
  ['a block that the node does not have', '{"id":1,"result":null}', 200, 'eth_getBlockByNumber', 'failure'],
  ['receipts of such a block', '{"id":1,"result":null}', 200, 'eth_getBlockReceipts', 'failure'],
  ['a receipt that does not exist yet', '{"id":1,"result":null}', 200, 'eth_getTransactionReceipt', 'good'],
  ['a result', '{"jsonrpc":"2.0","id":1,"result":{"error":{"code":-32601}}}', 200, 'eth_call', 'good'],
  ['an error that is null', '{"id":1,"error":null,"result":"0x1"}', 200, 'eth_call', 'good'],
  ['a limit', error(-32_601, 'x'), 429, 'eth_call', 'failure'],
  ['a fault', '', 502, 'eth_call', 'failure'],
  ['nothing', '', 200, 'eth_call', 'good'],
])('%s', async (_, body, status, method, verdict) => {
  const found = await judgeResponse(new Response(body, { status }), method)
  expect(found.verdict).toBe(verdict)
  expect([found.response.status, await found.response.text()]).toEqual([status, body])
})

test('a long response stays whole with any beginning', async () => {
  const parts = ['{"result":"', 'ab'.repeat(50_000), '"}']
  const { response, verdict } = await judgeResponse(new Response(new Response(new Blob(parts)).body), 'eth_call')
  expect(verdict).toBe('good')
  expect(await response.text()).toBe(parts.join(''))
})

import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { keccak256, recoverMessageAddress, stringToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { createSubmitter, endpointListSchema, isExpiring } from './createSubmitter.ts'

const account = privateKeyToAccount(devAccounts[8].privateKey)
const requests: { body: string; headers: IncomingHttpHeaders }[] = []
const server = createServer(async (request, response) => {
  const body = await text(request)
  requests.push({ body, headers: request.headers })
  const { id } = JSON.parse(body)
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x00' }))
})
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
})

beforeEach(() => {
  requests.length = 0
})

afterAll(() => {
  server.close()
})

const submit = async (kind: 'mempool' | 'protected' | 'private' | 'bundle', deadlineBlock: number | undefined) => {
  await createSubmitter({ url, kind }, 1, account)('0x02f8', { head: 16, deadlineBlock })
  return requests.map(({ body }) => {
    const { method, params } = JSON.parse(body)
    return [method, params[0]]
  })
}

test.each(['mempool', 'protected'] as const)('sends a raw transaction to an endpoint of the kind %s', async (kind) => {
  expect(await submit(kind, 20)).toEqual([['eth_sendRawTransaction', '0x02f8']])
  expect(requests[0]?.headers['x-flashbots-signature']).toBeUndefined()
})

test.each([
  ['until its deadline', 20, { maxBlockNumber: '0x14' }],
  ['without a deadline when any block may contain it', undefined, {}],
])('sends a private transaction %s', async (_, deadlineBlock, limit) => {
  const param = { tx: '0x02f8', ...limit, preferences: { fast: true } }
  expect(await submit('private', deadlineBlock)).toEqual([['eth_sendPrivateTransaction', param]])
})

test.each([
  [20, ['0x11', '0x12']],
  [17, ['0x11']],
  [16, []],
  [undefined, ['0x11', '0x12']],
])('sends bundles for the next two blocks up to the deadline %s', async (deadlineBlock, blocks) => {
  const sent = (await submit('bundle', deadlineBlock)).map(([, param]) => param)
  expect(sent.toSorted((a, b) => a.blockNumber.localeCompare(b.blockNumber))).toEqual(
    blocks.map((blockNumber) => ({ txs: ['0x02f8'], blockNumber, revertingTxHashes: [] })),
  )
})

test('signs the body of a request to a relay with the key of the account', async () => {
  await submit('private', 20)
  const { body = '', headers } = requests[0] ?? {}
  const [address, signature] = String(headers?.['x-flashbots-signature']).split(':')
  expect(address).toBe(account.address)
  const message = keccak256(stringToBytes(body))
  expect(await recoverMessageAddress({ message, signature: signature as `0x${string}` })).toBe(account.address)
})

test('transactions expire only when every endpoint drops them', () => {
  const toEndpoints = (kinds: readonly string[]) =>
    endpointListSchema.parse(kinds.map((kind) => ({ url: 'https://relay.example', kind })))
  expect(isExpiring(toEndpoints(['private', 'bundle']))).toBe(true)
  expect(isExpiring(toEndpoints(['private', 'mempool']))).toBe(false)
  expect(isExpiring(toEndpoints(['bundle', 'protected']))).toBe(false)
})

test('a URL alone is an endpoint of the public mempool', () => {
  expect(endpointListSchema.parse(['https://node.example', { url: 'https://relay.example', kind: 'bundle' }])).toEqual([
    { url: 'https://node.example', kind: 'mempool' },
    { url: 'https://relay.example', kind: 'bundle' },
  ])
})

test.each([
  ['an unknown kind', ['https://a.example', { url: 'https://b.example', kind: 'secret' }], [1, 'kind'], 'mempool, pro'],
  ['no URL', [{ kind: 'private' }], [0, 'url'], 'http'],
  // the second wording is that of the API, where its modules are loaded
  ['an unknown field', [{ url: 'https://a.example', blocks: 3 }], [0], 'blocks|only the documented fields'],
  ['a URL of another protocol', ['ftp://a.example'], [0, 'url'], 'http'],
  ['five endpoints', Array(5).fill('https://a.example'), [], '4'],
  ['no endpoint', [], [], '1'],
])('rejects %s by the name of its field', (_, list, path, words) => {
  const { error } = endpointListSchema.safeParse(list)
  expect(error?.issues).toHaveLength(1)
  expect(error?.issues[0]?.path).toEqual(path)
  expect(error?.issues[0]?.message).toMatch(new RegExp(words))
})

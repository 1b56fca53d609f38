import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type Hex, parseEther, parseUnits } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { checkReceipt } from '../../examples/receipt.ts'
import { mcpTools } from '../../functions/gateway/mcp/mcpTools.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { receiptKey, type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let client: Client
const called = new Set<string>()

beforeAll(async () => {
  stack = await useSharedStack()
  await connectTrader(stack.info, key()).approveRelayer(findToken(stack.info, 'WETH').address)
  client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', stack.info.baseUrl)))
})
afterAll(async () => {
  await client?.close()
  await stack?.stop()
})

const key = () => stack.info.accounts[0]?.privateKey as Hex

type Result = { isError?: boolean; structuredContent?: unknown; content: { text: string }[] }

/** Calls a tool; its result is an object or a list. */
const call = async (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
  called.add(name)
  const { isError, content } = (await client.callTool({ name, arguments: args })) as Result
  const value: unknown = JSON.parse(content[0]?.text ?? 'null')
  expect({ name, isError: isError ?? false, value }).toMatchObject({ isError: false })
  return value
}

type Built = {
  orderUid: Hex
  funding: { steps: { type: string }[] }
  typedData: { domain: object; types: Record<string, { name: string; type: string }[]>; message: object }
  place: { method: string; path: string; body: Record<string, unknown> }
}
type Followed = { unchanged?: boolean; etag: string; order?: { status: string } }

/** Trades by the tools of the endpoint, and by the account's own signature. */
const trade = async (terms: Record<string, string>): Promise<Hex> => {
  const account = privateKeyToAccount(key())
  const body = { sellToken: weth(), buyToken: usdc(), from: account.address, receiver: receiver(), ...terms }
  const built = (await call('build_order', { network, body })) as Built
  expect(built.funding.steps).toEqual([{ type: 'sign' }])
  expect(built.typedData.message).toMatchObject({ receiver: receiver().toLowerCase() })
  const signature = await account.signTypedData({ ...built.typedData, primaryType: 'Order' } as never)
  const order = { ...built.place.body, signature }
  expect(await call('dry_run', { network, body: order })).toMatchObject({ fillable: true })
  const placed = await fetch(stack.info.baseUrl + built.place.path, {
    method: built.place.method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  })
  expect([placed.status, await placed.json()]).toEqual([201, built.orderUid])
  let seen: Followed | undefined
  while (seen?.order?.status !== 'fulfilled') {
    const after = seen ? { 'if-none-match': seen.etag } : {}
    const next = (await call('follow_order', { network, uid: built.orderUid, ...after })) as Followed
    seen = next.unchanged && seen ? seen : next
  }
  return built.orderUid
}

const network = 'sepolia'
const weth = () => findToken(stack.info, 'WETH').address
const usdc = () => findToken(stack.info, 'USDC').address
const receiver = () => stack.info.accounts[1]?.address as string
const sell = { kind: 'sell', sellAmountBeforeFee: parseEther('0.1').toString() }

test('an agent that knows only the base URL trades by the tools of the endpoint and its own signature', async () => {
  const user = privateKeyToAccount(key()).address
  const { networks } = (await call('networks')) as { networks: { name: string }[] }
  expect(networks.map(({ name }) => name)).toContain(network)
  expect(await call('status')).toMatchObject({ networks: { sepolia: { state: expect.any(String) } } })
  expect(await call('native_price', { network, token: weth() })).toMatchObject({ price: 1 })
  expect(await call('balances', { chainId: network, user, tokens: [weth(), usdc()].join(',') })).toHaveLength(2)
  await expect.poll(async () => (await client.callTool(usdPrice(usdc()))).isError, { timeout: 60_000 }).not.toBe(true)
  called.add('usd_price')
  const body = { sellToken: weth(), buyToken: usdc(), from: user, ...sell }
  expect(await call('quote', { network, body })).toMatchObject({ verified: true })
  const uid = await trade(sell)
  expect(await call('explain_order', { network, uid })).toMatchObject({ orderUid: uid })
  expect(await call('receipt', { network, uid })).toMatchObject({ receipt: { fills: [{ fees: {} }] } })
  expect([...called].sort()).toEqual(Object.keys(mcpTools).sort())
})

test('every number of every receipt is recomputed from the chain, the order and the competition', async () => {
  const partnerFee = { recipient: receiver(), volumeBps: 25 }
  await trade({ ...sell, appData: JSON.stringify({ metadata: { partnerFee } }) })
  await trade({ kind: 'buy', buyAmountAfterFee: parseUnits('50', 6).toString() })
  const base = `${stack.info.baseUrl}/${network}`
  const filled = (await (await fetch(`${base}/api/v1/explorer/trades?limit=100`)).json()) as { orderUid: string }[]
  const signer = privateKeyToAddress(receiptKey).toLowerCase()
  expect(filled.length).toBeGreaterThan(2)
  for (const { orderUid } of filled) {
    const { receipt, differences } = await checkReceipt(base, orderUid, stack.info.rpcUrl, signer)
    expect({ orderUid, fills: receipt.fills.length, differences }).toMatchObject({ orderUid, differences: [] })
  }
})

test('a receipt that another key signed than the known one is found', async () => {
  const base = `${stack.info.baseUrl}/${network}`
  const uid = await trade(sell)
  const stranger = privateKeyToAccount(key()).address.toLowerCase()
  const { differences } = await checkReceipt(base, uid, stack.info.rpcUrl, stranger)
  expect(differences).toEqual([expect.stringMatching(/^signer: /)])
})

const usdPrice = (token: string) => ({ name: 'usd_price', arguments: { chainId: 'sepolia', token } })

test('a refusal tells an agent what to do', async () => {
  const result = (await client.callTool({
    name: 'explain_order',
    arguments: { network: 'sepolia', uid: `0x${'12'.repeat(56)}` },
  })) as Result
  expect(result.isError).toBe(true)
  expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({ errorType: 'NotFound', class: 'fix' })
})

import { type Hex, keccak256, parseUnits, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { signOrder } from '../helpers/signOrder.ts'
import { startTestStack } from '../helpers/testStack.ts'

/** Fields of the interface specification that an order has whatever became of it. */
const orderFields = [
  ...['sellToken', 'buyToken', 'sellAmount', 'buyAmount', 'feeAmount', 'validTo', 'kind', 'partiallyFillable'],
  ...['signingScheme', 'signature', 'appData', 'appDataHash', 'fullAppData', 'creationDate', 'class', 'owner', 'from'],
  ...['receiver', 'settlementContract', 'uid', 'executedSellAmount', 'executedSellAmountBeforeFees'],
  ...['executedBuyAmount', 'executedFeeAmount', 'executedFee', 'executedFeeToken', 'invalidated', 'status'],
  ...[
    'sellTokenBalance',
    'buyTokenBalance',
    'fullBalanceCheck',
    'isLiquidityOrder',
    'interactions',
    'quoteId',
    'quote',
  ],
]
const quoteFields = [
  ...['sellToken', 'buyToken', 'sellAmount', 'buyAmount', 'validTo', 'appData', 'feeAmount', 'gasAmount', 'gasPrice'],
  ...['sellTokenPrice', 'kind', 'partiallyFillable', 'receiver', 'appDataHash', 'sellTokenBalance'],
  ...['buyTokenBalance', 'signingScheme'],
]
const auctionFields = [
  ...[
    'id',
    'block',
    'deadline',
    'nativePrices',
    'proposedSolutions',
    'executions',
    'settlementAttempts',
    'feePolicies',
  ],
]
const tradeFields = [
  ...['blockNumber', 'logIndex', 'buyAmount', 'sellAmount', 'sellAmountBeforeFees', 'txHash', 'auctionId'],
]

let stack: Stack
let trader: Trader
/** a filled order */
let uid: string
const privateKey = () => stack.info.accounts[0]?.privateKey as Hex

beforeAll(async () => {
  stack = await startTestStack()
  trader = connectTrader(stack.info, privateKey())
  await trader.approveRelayer(token('WETH').address)
  const amount = parseUnits('0.1', 18)
  uid = await postSwap(trader, { kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount })
  await waitForStatus(trader, uid, 'fulfilled')
})
afterAll(() => stack?.stop())

const token = (symbol: string) => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}

type Json = Record<string, unknown>

const ask = async <T = Json>(method: string, path: string, body?: unknown) => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-headers')).toContain('Cache-Control')
  return { status: response.status, body: (await response.json()) as T }
}

const expectFields = (object: unknown, fields: string[]) =>
  expect(Object.keys(object as Json)).toEqual(expect.arrayContaining(fields))

/** WETH for USDC at a price that nobody pays. */
const hopelessTerms = () => ({
  sellToken: token('WETH').address,
  buyToken: token('USDC').address,
  sellAmount: parseUnits('0.01', 18),
  buyAmount: parseUnits('1000000', 6),
})

test('POST quote, in its three sizes, with validFor and with validTo', async () => {
  const common = { sellToken: token('WETH').address, buyToken: token('USDC').address, from: trader.address }
  const sizes = [
    { kind: 'sell', sellAmountBeforeFee: '100000000000000000', validFor: 600 },
    { kind: 'sell', sellAmountAfterFee: '100000000000000000', validTo: Math.floor(Date.now() / 1_000) + 600 },
    { kind: 'buy', buyAmountAfterFee: '100000000' },
  ]
  for (const size of sizes) {
    const { status, body } = await ask<{ quote: Json }>('POST', 'quote', { ...common, ...size })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      expiration: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      verified: true,
      from: trader.address.toLowerCase(),
      id: expect.any(Number),
    })
    expectFields(body.quote, quoteFields)
  }
})

test('GET orders/{uid} and POST orders/by_uids, which leaves out what it does not know', async () => {
  const one = await ask('GET', `orders/${uid}`)
  expect(one.status).toBe(200)
  expectFields(one.body, orderFields)
  const unknown = `0x${'00'.repeat(56)}`
  const several = await ask<{ order: Json }[]>('POST', 'orders/by_uids', [unknown, uid])
  expect(several.status).toBe(200)
  expect(several.body.map(({ order }) => order)).toEqual([one.body])
})

test('GET debug/order/{uid}', async () => {
  const { status, body } = await ask<Record<'auctions' | 'trades' | 'events', Json[]>>('GET', `debug/order/${uid}`)
  expect(status).toBe(200)
  expectFields(body, ['orderUid', 'order', 'events', 'auctions', 'trades'])
  expect(body.events.map(({ label }) => label)).toContain('traded')
  expectFields(body.trades[0], tradeFields)
  for (const auction of body.auctions) expectFields(auction, auctionFields)
  const ids = body.auctions.map(({ id }) => Number(id))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
})

test('PUT app_data/{hash}, then POST orders with that hash, then DELETE orders/{uid}', async () => {
  const fullAppData = '{"appCode":"interface"}'
  const hash = keccak256(stringToHex(fullAppData))
  expect(await ask('PUT', `app_data/${hash}`, { fullAppData })).toEqual({ status: 201, body: hash })
  const order = await signOrder(stack.info, privateKey(), { ...hopelessTerms(), appData: hash })
  const placed = await ask<string>('POST', 'orders', order)
  expect(placed).toEqual({ status: 201, body: expect.stringMatching(/^0x[0-9a-f]{112}$/) })
  expect((await ask('GET', `orders/${placed.body}`)).body).toMatchObject({ status: 'open', fullAppData })

  const { chainId, contracts } = stack.info
  const signature = await privateKeyToAccount(privateKey()).signTypedData({
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract: contracts.settlement },
    types: { OrderCancellation: [{ name: 'orderUid', type: 'bytes' }] },
    primaryType: 'OrderCancellation',
    message: { orderUid: placed.body as Hex },
  })
  const cancelled = await ask('DELETE', `orders/${placed.body}`, { signature, signingScheme: 'eip712' })
  expect(cancelled).toEqual({ status: 200, body: 'Cancelled' })
  expect((await ask('GET', `orders/${placed.body}`)).body).toMatchObject({ status: 'cancelled' })
})

test('GET solver_competition/{auction_id}', async () => {
  const { body: report } = await ask<{ trades: { auctionId: number; txHash: string }[] }>('GET', `debug/order/${uid}`)
  const { auctionId, txHash } = report.trades[0] ?? {}
  const { status, body } = await ask('GET', `solver_competition/${auctionId}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ auctionId, transactionHashes: [txHash], auction: { orders: expect.any(Array) } })
})

test('GET tokens offers what is listed and traded here, as it describes itself', async () => {
  const { status, body } = await ask<Json[]>('GET', 'tokens')
  expect(status).toBe(200)
  const { WETH, USDC, DAI, COW } = stack.info.tokens
  expect(body.map(({ address }) => address)).toEqual(
    [WETH, USDC, DAI, COW].map((known) => known?.address.toLowerCase()),
  )
  expect(body[1]).toEqual({ address: USDC?.address, name: 'USD Coin', symbol: 'USDC', decimals: 6 })
})

test('GET token/{token}/metadata knows the tokens that were traded', async () => {
  const { body: report } = await ask<{ trades: { blockNumber: number }[] }>('GET', `debug/order/${uid}`)
  const { body } = await ask('GET', `token/${token('USDC').address}/metadata`)
  expect(body).toEqual({
    firstTradeBlock: report.trades[0]?.blockNumber,
    nativePrice: expect.stringMatching(/^[1-9]\d*$/),
  })
  expect((await ask('GET', `token/0x${'12'.repeat(20)}/metadata`)).body).toEqual({
    firstTradeBlock: null,
    nativePrice: null,
  })
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test('GET / is a page for a browser, which loads its files from here alone; the index for a program', async () => {
  const get = (path: string, headers: Record<string, string> = {}) => fetch(stack.info.baseUrl + path, { headers })
  for (const path of ['/', `/orders/${uid}`, `/orders/0x${'00'.repeat(56)}`, '/status']) {
    const page = await get(path, { Accept: browser })
    expect([path, page.status, page.headers.get('Content-Type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    expect(page.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    expect(page.headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
    const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
    expect(files.filter((file) => file.startsWith('/assets/')).length).toBeGreaterThan(1)
    for (const file of files.filter((each) => each !== '/openapi.json')) {
      const { status, headers } = await get(file)
      expect([file, status]).toEqual([file, 200])
      if (file.startsWith('/assets/')) expect(headers.get('Cache-Control')).toContain('immutable')
    }
  }
  const index = await get('/', { Accept: 'application/json' })
  expect(index.headers.get('Vary')).toContain('Accept')
  const wallet = `/local/${stack.info.network}/rpc`
  expect(await index.json()).toMatchObject({
    networks: [{ name: stack.info.network, label: 'Sepolia', explorerUrl: null, localWallet: wallet }],
  })
})

test('the local wallet signs and sends for its own pages and for programs, not for anybody else', async () => {
  const call = async (method: string, params: unknown[], headers: Record<string, string> = {}) => {
    const response = await fetch(`${stack.info.baseUrl}/local/${stack.info.network}/rpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const body = (await response.json()) as { result?: unknown; errorType?: string; error?: { code: number } }
    return { status: response.status, ...body }
  }
  const { chainId, contracts, accounts, baseUrl } = stack.info
  const owner = privateKeyToAccount(privateKey())
  const known = await call('eth_requestAccounts', [], { Origin: new URL(baseUrl).origin })
  expect(known.result).toEqual(expect.arrayContaining(accounts.map(({ address }) => address)))

  const cancellation = {
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract: contracts.settlement },
    types: { OrderCancellation: [{ name: 'orderUid', type: 'bytes' }] },
    primaryType: 'OrderCancellation',
    message: { orderUid: uid as Hex },
  } as const
  const domainTypes = ['name', 'version', 'chainId', 'verifyingContract'].map((name, i) => ({
    name,
    type: ['string', 'string', 'uint256', 'address'][i],
  }))
  const document = { ...cancellation, types: { ...cancellation.types, EIP712Domain: domainTypes } }
  const signed = await call('eth_signTypedData_v4', [owner.address, JSON.stringify(document)])
  expect(signed.result).toBe(await owner.signTypedData(cancellation))
  const message = stringToHex('hello')
  expect((await call('personal_sign', [message, owner.address])).result).toBe(
    await owner.signMessage({ message: { raw: message } }),
  )
  const sent = await call('eth_sendTransaction', [{ from: owner.address, to: owner.address, value: '0x1' }])
  const receipt = await stack.chain.waitForTransactionReceipt({ hash: sent.result as Hex })
  expect(receipt.status).toBe('success')

  expect(await call('anvil_mine', ['0x1'])).toMatchObject({ status: 200, error: { code: -32_601 } })
  for (const origin of ['https://example.com', 'http://127.0.0.1:1', 'null'])
    expect(await call('eth_accounts', [], { Origin: origin })).toMatchObject({ status: 403, errorType: 'Forbidden' })
})

import { eq, lt, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, parseUnits, stringToHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { waitForReceipt } from '#tools/stack/chain/waitForReceipt.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import {
  arbitraryRequest,
  type KnownValues,
  type RawRequest,
  weirdDocuments,
} from '../helpers/http/arbitraryRequest.ts'
import { connectRaw } from '../helpers/http/connectRaw.ts'
import { type Inspector, inspectAnswers } from '../helpers/http/inspectAnswers.ts'
import { listenToEvents } from '../helpers/http/listenToEvents.ts'
import { type ApiDocument, createOpenApiValidator } from '../helpers/http/openApiValidator.ts'
import { signAffiliateCode } from '../helpers/orders/signAffiliateCode.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patientQuotes, startBareTestStack } from '../helpers/stack/testStack.ts'

/** Fields of the interface specification that every order has in every state. */
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
/** checks every response of `ask` */
let inspector: Inspector
/** of the gateway, without the inspector */
let rawUrl: string
let trader: Trader
/** a filled order */
let uid: string
const privateKey = () => stack.info.accounts[0]?.privateKey as Hex

beforeAll(async () => {
  const orders = { MAX_LIMIT_ORDERS_PER_USER: '100', MAX_UNSIGNED_ORDERS_PER_CLIENT: '100000' }
  const bare = await startBareTestStack({ vars: { orders, quotes: patientQuotes } })
  rawUrl = bare.info.baseUrl
  inspector = await inspectAnswers(rawUrl)
  stack = { ...bare, info: { ...bare.info, baseUrl: inspector.baseUrl } }
  trader = connectTrader(stack.info, privateKey())
  await trader.approveRelayer(token('WETH').address)
  const amount = parseUnits('0.1', 18)
  uid = await postSwap(trader, { kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount })
  await waitForStatus(trader, uid, 'fulfilled')
})
afterAll(async () => {
  await stack?.stop()
  await inspector?.close()
})

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

/** WETH for USDC at a price that no solver pays. */
const hopelessTerms = () => ({
  sellToken: token('WETH').address,
  buyToken: token('USDC').address,
  sellAmount: parseUnits('0.01', 18),
  buyAmount: parseUnits('1000000', 6),
})

test('POST quote accepts its three sizes, validFor and validTo', async () => {
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

test('GET orders/{uid} and POST orders/by_uids, which omits unknown orders', async () => {
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

test('GET tokens lists tokens traded here with their metadata', async () => {
  const { status, body } = await ask<Json[]>('GET', 'tokens')
  expect(status).toBe(200)
  const { WETH, USDC, DAI, COW } = stack.info.tokens
  expect(body.map(({ address }) => address)).toEqual(
    [WETH, USDC, DAI, COW].map((known) => known?.address.toLowerCase()),
  )
  expect(body[1]).toEqual({ address: USDC?.address, name: 'USD Coin', symbol: 'USDC', decimals: 6 })
})

test('GET token/{token}/metadata knows traded tokens', async () => {
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

describe('the auxiliary API with npm start: no key of a provider, none of a client, values of the local chain', () => {
  const askAuxiliary = async <T = Json>(path: string, body?: unknown) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(stack.info.baseUrl + path, body === undefined ? {} : init)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toContain('Cache-Control')
    return { status: response.status, body: (await response.json()) as T }
  }
  const findBalance = async (of: string, symbol: string) => {
    const { address } = token(symbol)
    const args = [of as Address] as const
    return String(await stack.chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args }))
  }

  test('usdPrice: prices of solvers, for a token and the native one', async () => {
    const { body: quoted } = await ask<{ price: number }>('GET', `token/${token('USDC').address}/native_price`)
    for (const asked of ['-', token('WETH').address]) {
      const { status, body } = await askAuxiliary<{ price: number }>(`/sepolia/tokens/${asked}/usdPrice`)
      expect(status).toBe(200)
      // wei per atom of six decimals: an ether is worth as many dollars as it buys
      expect(body.price / (1e12 / quoted.price)).toBeCloseTo(1, 2)
    }
    const tokenAddresses = [token('USDC').address, token('WETH').address]
    expect(await askAuxiliary('/sepolia/tokens/prices', { tokenAddresses })).toMatchObject({
      status: 200,
      body: [{ price: 1 }, { price: expect.any(Number), status: 'price' }],
    })
  })

  test('topHolders and details: of the tokens, to the atom', async () => {
    const { status, body } = await askAuxiliary<{ address: string; balance: string }[]>(
      `/sepolia/tokens/${token('USDC').address}/topHolders`,
    )
    expect([status, body.length > 4]).toEqual([200, true])
    for (const { address, balance } of body) expect(balance).toBe(await findBalance(address, 'USDC'))
    const details = { address: token('USDC').address, name: 'USD Coin', symbol: 'USDC', decimals: 6 }
    expect(await askAuxiliary(`/sepolia/tokens/${token('USDC').address}/details`)).toEqual({
      status: 200,
      body: details,
    })
  })

  test('balances, once and as a stream', async () => {
    const path = `/sepolia/accounts/${trader.address}/balances`
    const query = `?tokens=${token('USDC').address},${nativeSentinel}`
    const { status, body } = await askAuxiliary<{ balance: string }[]>(path + query)
    expect([status, body[0]?.balance]).toEqual([200, await findBalance(trader.address, 'USDC')])
    expect(body[1]?.balance).toBe(String(await stack.chain.getBalance({ address: trader.address as Address })))
    const listening = await listenToEvents(`${stack.info.baseUrl}${path}/sse${query}`)
    expect(listening.headers['access-control-allow-origin']).toBe('*')
    expect((await listening.hear('initial_balances')).data).toEqual({ balances: body })
    listening.close()
  })

  test('affiliate: a code, its terms, and statistics', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const signedMessage = await signAffiliateCode(wallet, 'KEYLESS')
    const registration = { walletAddress: wallet.address, code: 'KEYLESS', signedMessage }
    expect((await askAuxiliary(`/affiliate/${wallet.address}/`, registration)).status).toBe(201)
    expect(await askAuxiliary(`/affiliate/${wallet.address}`)).toMatchObject({ status: 200, body: { code: 'KEYLESS' } })
    expect(await askAuxiliary('/ref-codes/KEYLESS')).toMatchObject({ status: 200, body: { code: 'KEYLESS' } })
    const statistics = await askAuxiliary(`/affiliate/affiliate-stats/${wallet.address}`)
    expect(statistics).toMatchObject({ status: 200, body: { referrer_code: 'KEYLESS', total_volume: 0 } })
    expect((await askAuxiliary(`/affiliate/trader-activity/${trader.address}`)).status).toBe(200)
  })

  test('simulateBundle: the effects of a transfer', async () => {
    const [from, to] = [devAccounts[7].address, devAccounts[6].address].map(
      (address) => address.toLowerCase() as Address,
    )
    const input = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, 5n] })
    const usdc = token('USDC').address
    const { status, body } = await askAuxiliary('/sepolia/simulation/simulateBundle', [{ from, to: usdc, input }])
    expect({ status, body }).toMatchObject({
      status: 200,
      body: [
        {
          status: true,
          cumulativeBalancesDiff: { [from as string]: { [usdc]: '-5' }, [to as string]: { [usdc]: '5' } },
        },
      ],
    })
  })

  test('slippage: the default at first, then computed from samples', async () => {
    const path = `/sepolia/markets/--${token('USDC').address}/slippageTolerance`
    const database = connectDatabase(stack.info.databaseUrl)
    const waitForSamples = (count: number) =>
      waitUntil(
        `${count} samples`,
        async () => (await database.$count(priceSamples, eq(priceSamples.token, token('WETH').address))) >= count,
        { timeoutMs: 100_000, intervalMs: 500 },
      )
    await waitForSamples(1)
    const newest = sql`(select max(sampled_at) from price_samples)`
    await database.delete(priceSamples).where(lt(priceSamples.sampledAt, newest))
    expect((await askAuxiliary(path)).body).toEqual({ slippageBps: 50, basis: 'unknown' })
    await database.update(priceSamples).set({ sampledAt: sql`${priceSamples.sampledAt} - interval '10 minutes'` })
    await waitForSamples(2)
    expect(await askAuxiliary(path)).toMatchObject({ status: 200, body: { basis: 'pair' } })
    const details = await askAuxiliary(path.replace('slippageTolerance', 'volatilityDetails'))
    expect(details).toMatchObject({ status: 200, body: { quoteToken: { usdPrice: 1 } } })
  })

  test('yield is empty; notifications are those of the filled order', async () => {
    expect(await askAuxiliary('/sepolia/yield/pools', [])).toEqual({ status: 200, body: [] })
    expect(await askAuxiliary('/sepolia/yield/pools-average-apr')).toEqual({ status: 200, body: {} })
    const { status, body } = await askAuxiliary<Json[]>(`/accounts/${trader.address}/notifications`)
    expect([status, body.map(({ type }) => type)]).toEqual([200, expect.arrayContaining(['order_filled'])])
    expectFields(body[0], ['id', 'account', 'type', 'message', 'timestamp', 'metadata'])
  })

  test('errors are a message', async () => {
    const cases: [string, number, string][] = [
      ['/sepolia/tokens/0x123/usdPrice', 400, 'an address'],
      [`/sepolia/tokens/0x${'00'.repeat(20)}/usdPrice`, 404, 'Price not found'],
      [`/sepolia/tokens/0x${'00'.repeat(20)}/topHolders`, 404, 'Token holders not found'],
      ['/accounts/0x123/notifications', 400, 'an address'],
      [`/1/tokens/${token('USDC').address}/usdPrice`, 404, 'not served'],
    ]
    for (const [path, status, message] of cases) {
      const answer = await askAuxiliary(path)
      expect([path, answer.status, answer.body]).toMatchObject([
        path,
        status,
        { message: expect.stringContaining(message) },
      ])
      expect(answer.body).not.toHaveProperty('errorType')
    }
  })
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test('GET / is a page for a browser, which loads only its own files, and the index for a program', async () => {
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

test('the local wallet signs and sends for its own pages and for programs, but not for foreign pages', async () => {
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
  const receipt = await waitForReceipt(stack.chain, sent.result as Hex)
  expect(receipt.status).toBe('success')

  expect(await call('anvil_mine', ['0x1'])).toMatchObject({ status: 200, error: { code: -32_601 } })
  for (const origin of ['https://example.com', 'http://127.0.0.1:1', 'null'])
    expect(await call('eth_accounts', [], { Origin: origin })).toMatchObject({ status: 403, errorType: 'Forbidden' })
})

describe('generated requests', () => {
  const count = Number(process.env.FUZZ_COUNT ?? 1_000)
  const seed = Number(process.env.FUZZ_SEED ?? 1)
  const lanes = 4

  /** Values that the service knows, of the filled order. */
  const findKnownValues = async (): Promise<KnownValues> => {
    const [trade] = await trader.orderBook.getTrades({ orderUid: uid })
    const order = await trader.orderBook.getOrder(uid)
    return {
      network: stack.info.network,
      ofPattern: {
        '^0x[0-9a-fA-F]{40}$': [trader.address, token('WETH').address, token('USDC').address, token('DAI').address],
        '^0x[0-9a-fA-F]{64}$': [`${trade?.txHash}`, `${order.appDataHash}`],
        '^0x[0-9a-fA-F]{112}$': [uid],
        '^(0x[0-9a-fA-F]{40}|-)-(0x[0-9a-fA-F]{40}|-)$': [`--${token('USDC').address}`],
        '^\\d+$': ['1', '1000000', '100000000000000000', '1000000000000000000'],
      },
      bodies: await buildBodies(privateKey(), trader.address as Address),
    }
  }

  /** A presigned order is accepted without a signature, with any terms. */
  const buildBodies = async (key: Hex, from: Address): Promise<KnownValues['bodies']> => {
    const tokens = { sellToken: token('WETH').address, buyToken: token('USDC').address }
    const terms = { ...tokens, sellAmount: parseUnits('0.1', 18), buyAmount: parseUnits('1000000', 6) }
    const validTo = Math.floor(Date.now() / 1_000) + 6_000
    const signed = await signOrder(stack.info, key, { ...terms, validTo })
    const presigned = [...weirdDocuments, ...Array.from({ length: 20 }, () => '{}')].map((appData, i) => {
      const { appDataHash: _, ...order } = { appDataHash: '', ...signed }
      return { ...order, from, appData, validTo: validTo + i, signingScheme: 'presign', signature: '0x' }
    })
    const quote = { ...tokens, from, kind: 'sell', sellAmountBeforeFee: '1000000000000000000' }
    const quotes = [
      quote,
      { ...tokens, from, kind: 'buy', buyAmountAfterFee: '1000000' },
      ...weirdDocuments.map((appData) => ({ ...quote, appData })),
    ]
    const documents = ['{"appCode":"fuzz"}', ...weirdDocuments].map((fullAppData) => ({ fullAppData }))
    const cancellation = { signature: signed.signature, signingScheme: 'eip712' }
    const api = '/{network}/api/v1'
    return {
      [`POST ${api}/orders`]: [signed, ...presigned],
      [`POST ${api}/orders/simulate`]: [signed, { ...signed, signature: undefined }, ...presigned],
      [`DELETE ${api}/orders`]: [{ ...cancellation, orderUids: [uid] }],
      [`DELETE ${api}/orders/{uid}`]: [cancellation],
      [`POST ${api}/quote`]: quotes,
      'POST /{chainId}/simulation/simulateBundle': [
        [
          { from, to: tokens.sellToken, input: '0x', value: '1000' },
          { from, to: tokens.sellToken, input: `0x2e1a7d4d${'3e8'.padStart(64, '0')}`, gas: 100_000 },
        ],
      ],
      'POST /{chainId}/yield/pools': [[], [tokens.sellToken]],
      [`POST ${api}/quote/stream`]: quotes,
      [`PUT ${api}/app_data`]: documents,
      [`PUT ${api}/app_data/{hash}`]: documents,
      'POST /affiliate/{walletAddress}': [{ walletAddress: from, code: 'FUZZ-1', signedMessage: signed.signature }],
      'POST /{chainId}/tokens/details': [{ tokenAddresses: Object.values(tokens) }],
      'POST /{chainId}/tokens/prices': [{ tokenAddresses: Object.values(tokens) }],
    }
  }

  test(
    `${count} generated requests cause no internal failure and no undocumented response (FUZZ_SEED=${seed})`,
    async () => {
      const document = (await (await fetch(`${rawUrl}/openapi.json`)).json()) as ApiDocument
      const validate = createOpenApiValidator(document)
      const known = await findKnownValues()
      const { send, close } = connectRaw(rawUrl, lanes)
      /** to send again, alone */
      const refused: RawRequest[] = []
      const check = async (request: RawRequest, isAlone: boolean) => {
        const answer = await send(request)
        const deviations = validate({ ...answer, method: request.method, path: request.path.split(/[?#]/)[0] ?? '' })
        if (!isAlone && isRetryable(answer)) refused.push(request)
        else if (answer.status >= 500 && !isUnready(request, answer)) deviations.push('a failure of ours')
        expect(deviations, `${toReproducer(request)} → ${answer.status} ${answer.body.slice(0, 300)}`).toEqual([])
      }
      const property = fc.asyncProperty(arbitraryRequest(document, known), (request) => check(request, false))
      const runs = Array.from({ length: lanes }, (_, lane) =>
        fc.assert(property, { seed: seed * lanes + lane, numRuns: Math.ceil(count / lanes) }),
      )
      await Promise.all(runs)
      for (const request of refused) await check(request, true)
      close()
    },
    160_000 + count * 20,
  )

  /** Reports a late auction of an overloaded machine: no failure of this request, and `validate` knows its form. */
  const isUnready = ({ path }: RawRequest, { status }: { status: number }): boolean =>
    status === 503 && /^\/readyz([?#]|$)/.test(path)

  /** Says that a repetition helps, as on an overloaded machine. */
  const isRetryable = ({ status, body }: { status: number; body: string }): boolean =>
    status === 503 && body.includes('"retryable":true')

  const toReproducer = ({ method, path, headers, body }: RawRequest): string => {
    const sent = body instanceof Uint8Array ? `bytes ${Buffer.from(body).toString('hex')}` : (body ?? '')
    return `${method} ${path} ${JSON.stringify(headers)} ${sent}`.slice(0, 1_500)
  }
})

import { sql } from 'drizzle-orm'
import { type Hex, parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { buildEthFlowOrder, createEthFlowOrder, toSignedOrder, uidOfEthFlow } from '../helpers/chain/ethFlow.ts'
import { connectOrderBook, type OrderBook } from '../helpers/console/orderBook.ts'
import { type SignableOrder, signOrder } from '../helpers/orders/signOrder.ts'
import { type RunningSolver, startSolver } from '../helpers/solvers/startSolver.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

const maxLimitOrders = 8
const maxUnsigned = 14

let stack: Stack
let base: string
let owner: string
let privateKey: Hex
let solver: RunningSolver

beforeAll(async () => {
  solver = await startSolver('reasons', (request, response) => {
    const buyToken = new URL(request.url ?? '', 'http://solver').searchParams.get('buyToken') ?? ''
    const kind = reasonsByToken[buyToken] ?? 'QuotingFailed'
    response.writeHead(request.method === 'GET' ? 400 : 200, { 'Content-Type': 'application/json' })
    const answer = request.method === 'GET' ? { kind, description: 'closed until Monday' } : { solutions: [] }
    response.end(JSON.stringify(answer))
  })
  const { name, address, baseUrl } = solver.solver
  const bounds = {
    MAX_LIMIT_ORDERS_PER_USER: `${maxLimitOrders}`,
    MAX_UNSIGNED_ORDERS_PER_CLIENT: `${maxUnsigned}`,
  }
  const lists = { BANNED_USERS: `${bannedAddress},${bannedOwner.address}`, UNSUPPORTED_TOKENS: unsupportedToken }
  stack = await startTestStack({
    extraSolvers: [{ name, address, url: baseUrl }],
    vars: { orders: { ...lists, ...bounds }, quotes: lists },
  })
  base = `${stack.info.baseUrl}/${stack.info.network}`
  privateKey = stack.info.accounts[1]?.privateKey as Hex
  const trader = connectTrader(stack.info, privateKey)
  owner = trader.address
  await trader.approveRelayer(token('WETH'))
})

afterAll(async () => {
  await solver?.stop()
  await stack?.stop()
})

const bannedAddress = '0x000000000000000000000000000000000000dead'
const bannedKey: Hex = `0x${'ba'.repeat(32)}`
const bannedOwner = privateKeyToAccount(bannedKey)
const unsupportedToken: Hex = `0x${'0bad'.repeat(10)}`
/** Response of one solver to buyers of these tokens; no other solver has a route to them. */
const reasonsByToken: Record<string, string> = {
  [`0x${'a1'.repeat(20)}`]: 'TradingOutsideAllowedWindow',
  [`0x${'a2'.repeat(20)}`]: 'TokenTemporarilySuspended',
  [`0x${'a3'.repeat(20)}`]: 'InsufficientLiquidity',
  [`0x${'a4'.repeat(20)}`]: 'CustomSolverError',
}
const token = (symbol: string) => stack.info.tokens[symbol]?.address as Hex
const now = () => Math.floor(Date.now() / 1000)

type Answer = { status: number; body: { errorType?: string; description?: string; data?: Record<string, unknown> } }

const send = async (
  method: string,
  path: string,
  body?: unknown,
  contentType = 'application/json',
): Promise<Answer> => {
  const response = await fetch(base + path, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': contentType },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  expect(response.headers.get('access-control-allow-origin'), path).toBe('*')
  expect(response.headers.get('content-type'), path).toMatch(/^application\/json/)
  expect(response.headers.get('cache-control'), path).toBe('no-store')
  expect(response.headers.get('x-request-id'), path).toBeTruthy()
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

const countOrders = async () => {
  const response = await fetch(`${base}/api/v1/account/${owner}/orders?limit=1000`)
  return ((await response.json()) as unknown[]).length
}

const countQuotes = async (): Promise<number> => {
  const { rows } = await connectDatabase(stack.info.databaseUrl).execute(sql`select count(*) as count from quotes`)
  return Number(rows[0]?.count)
}

const goodTerms = () => ({
  sellToken: token('WETH'),
  buyToken: token('USDC'),
  sellAmount: parseUnits('0.1', 18),
  buyAmount: parseUnits('1000000', 6),
})

describe('orders without a signature', () => {
  let book: OrderBook

  beforeAll(async () => {
    book = connectOrderBook(stack.info)
    for (const index of [0, 3]) await connectTrader(stack.info, account(index).privateKey).approveRelayer(token('WETH'))
  })

  const account = (index: number) => {
    const found = stack.info.accounts[index]
    if (!found) throw new Error(`no account ${index}`)
    return found
  }
  let count = 0n
  /** Ether for USDC at a price that a tenth of the market pays; every call makes another order. */
  const sign = (owner: number, changes: Partial<SignableOrder> = {}) => {
    count += 1n
    const amounts = { sellAmount: parseEther('0.01') + count, buyAmount: parseUnits('2', 6) }
    return signOrder(stack.info, account(owner).privateKey, {
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      ...amounts,
      ...changes,
    })
  }
  /** A limit that no solver reaches. */
  const unreachable = { buyAmount: parseUnits('1000000', 6) }
  /** The same order as any stranger can send it. */
  const unsign = (body: object) => ({ ...body, signingScheme: 'presign', signature: '0x' })
  const post = async (body: object) => {
    const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, answer: (await response.json()) as unknown }
  }
  const cancel = async (owner: number, uid: string) => {
    const { settlement: verifyingContract } = stack.info.contracts
    const signature = await privateKeyToAccount(account(owner).privateKey).signTypedData({
      domain: { name: 'Gnosis Protocol', version: 'v2', chainId: stack.info.chainId, verifyingContract },
      types: { OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }] },
      primaryType: 'OrderCancellations',
      message: { orderUids: [uid as Hex] },
    })
    const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders`, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ orderUids: [uid], signature, signingScheme: 'eip712' }),
    })
    return response.status
  }

  test('an order first sent unsigned by a stranger is accepted from its owner and fills', async () => {
    const body = await sign(0)
    const squatted = await post(unsign(body))
    expect(squatted.status).toBe(201)
    await book.waitFor(squatted.answer as string, ({ status }) => status === 'presignaturePending')
    expect(await post(body)).toEqual({ status: 201, answer: squatted.answer })
    await book.waitFor(squatted.answer as string, ({ status }) => status === 'fulfilled')
    const { events } = await book.get<{ events: { label: string }[] }>(`/debug/order/${squatted.answer}`)
    expect(events.map(({ label }) => label).filter((label) => label !== 'invalid')).toEqual(
      expect.arrayContaining(['created', 'traded']),
    )
    expect(await post(unsign(body))).toMatchObject({ status: 400, answer: { errorType: 'DuplicatedOrder' } })
  })

  test('such an order is cancelled by a signature of its owner, and stays cancelled', async () => {
    const body = await sign(0, unreachable)
    const { answer } = await post(unsign(body))
    expect(await cancel(0, answer as string)).toBe(400)
    expect((await post(body)).status).toBe(201)
    expect(await cancel(0, answer as string)).toBe(200)
    expect(await post(body)).toMatchObject({ answer: { errorType: 'DuplicatedOrder', data: { status: 'cancelled' } } })
  })

  test('an order of native tokens first sent unsigned by a stranger fills once it is placed on-chain', async () => {
    const order = buildEthFlowOrder({
      buyToken: token('USDC'),
      receiver: account(1).address,
      sellAmount: parseEther('0.02'),
      buyAmount: parseUnits('4', 6),
      validTo: Math.floor(Date.now() / 1_000) + 1_200,
    })
    const { appDataHash: appData, ...terms } = toSignedOrder(order)
    const amounts = { sellAmount: `${terms.sellAmount}`, buyAmount: `${terms.buyAmount}`, feeAmount: '0' }
    const squatted = await post(unsign({ ...terms, ...amounts, appData, from: stack.info.contracts.ethFlow }))
    expect(squatted).toEqual({ status: 201, answer: uidOfEthFlow(order) })
    await createEthFlowOrder(stack.chain, account(1).address, order)
    const filled = await book.waitFor(uidOfEthFlow(order), ({ status }) => status === 'fulfilled')
    expect(filled).toMatchObject({ signingScheme: 'eip1271', onchainUser: account(1).address.toLowerCase() })
  })

  test("unsigned orders of a stranger neither use up an owner's limit nor precede a signed order", async () => {
    const uids: string[] = []
    for (let i = 0; i < maxLimitOrders; i++) uids.unshift(await book.post(await sign(3, unreachable)))
    for (let i = 0; i < 8; i++) expect((await post(unsign(await sign(3)))).status).toBe(201)
    const list = (query: string) =>
      book.get<{ uid: string; status: string }[]>(`/account/${account(3).address}/orders?${query}`)
    expect((await list(`limit=${maxLimitOrders}`)).map(({ uid }) => uid)).toEqual(uids)
    const all = await list('limit=100')
    expect(all.slice(0, maxLimitOrders).map(({ uid }) => uid)).toEqual(uids)
    expect(all.slice(maxLimitOrders).map(({ status }) => status)).toEqual(Array(8).fill('presignaturePending'))
    expect(await list('limit=100&signed=false')).toEqual(all.slice(maxLimitOrders))

    const refused = { field: 'limitOrders', limit: maxLimitOrders, open: maxLimitOrders }
    expect(await post(await sign(3, unreachable))).toMatchObject({
      status: 400,
      answer: { errorType: 'TooManyLimitOrders', data: refused },
    })
    expect(await cancel(3, uids[0] as string)).toBe(200)
    expect((await post(await sign(3, unreachable))).status).toBe(201)
  })

  test('a client has a limited number of unsigned orders for all owners, and can still place signed ones', async () => {
    const replies: Awaited<ReturnType<typeof post>>[] = []
    for (let i = 0; i < maxUnsigned; i++) {
      const from = `0x${(i + 1).toString(16).padStart(40, '0')}`
      replies.push(await post({ ...unsign(await sign(1)), from, receiver: null }))
    }
    expect(replies.at(-1)).toMatchObject({
      status: 400,
      answer: {
        errorType: 'TooManyUnsignedOrders',
        data: { field: 'unsignedOfClient', limit: maxUnsigned, open: maxUnsigned },
      },
    })
    const { status, answer } = await post(await sign(1))
    expect(status).toBe(201)
    // later tests count the open orders of this owner
    await book.waitFor(answer as string, (order) => order.status === 'fulfilled')
  })
})

describe('POST orders refuses, and stores nothing', () => {
  const sign = (change: Record<string, unknown> = {}, key: Hex = privateKey) =>
    signOrder(stack.info, key, { ...goodTerms(), ...change })

  const withMetadata = (metadata: object) => JSON.stringify({ metadata })
  const anOrder = `0x${'12'.repeat(56)}`

  const cases: [string, number, () => Promise<unknown>][] = [
    ['InvalidParameter', 400, async () => ({ ...(await sign()), sellToken: '0x123' })],
    ['InvalidParameter', 400, async () => ({ ...(await sign()), kind: 'swap' })],
    ['InvalidParameter', 400, async () => ({ ...(await sign()), sellAmount: '1.5' })],
    ['InvalidParameter', 400, async () => ({ ...(await sign()), sellAmount: '0x10' })],
    ['InvalidParameter', 400, async () => ({ ...(await sign()), validTo: 2 ** 32 })],
    ['InvalidParameter', 400, async () => ({})],
    ['InvalidParameter', 400, async () => []],
    ['InvalidParameter', 400, async () => '{"sellToken":'],
    ['SellAmountOverflow', 400, async () => ({ ...(await sign()), sellAmount: (2n ** 256n).toString() })],
    ['BuyAmountOverflow', 400, async () => ({ ...(await sign()), buyAmount: (2n ** 256n).toString() })],
    ['InvalidAppData', 400, async () => ({ ...(await sign()), appData: 'not json' })],
    ['InvalidAppData', 400, () => sign({ appData: `0x${'ab'.repeat(32)}` })],
    ['AppDataHashMismatch', 400, async () => ({ ...(await sign()), appDataHash: `0x${'ab'.repeat(32)}` })],
    ['ZeroAmount', 400, () => sign({ sellAmount: 0n })],
    ['NonZeroFee', 400, () => sign({ feeAmount: 1n })],
    ['OrderExpired', 400, () => sign({ validTo: now() - 1 })],
    ['InsufficientValidTo', 400, () => sign({ validTo: now() + 30 })],
    ['ExcessiveValidTo', 400, () => sign({ validTo: now() + 400 * 86_400 })],
    ['SameBuyAndSellToken', 400, () => sign({ buyToken: token('WETH') })],
    ['InvalidNativeSellToken', 400, () => sign({ sellToken: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee' })],
    ['InvalidSignature', 400, async () => ({ ...(await sign()), buyAmount: '1' })],
    ['InvalidSignature', 400, async () => ({ ...(await sign()), signature: `0x${'00'.repeat(65)}` })],
    ['InvalidSignature', 400, async () => ({ ...(await sign()), signingScheme: 'ethsign' })],
    ['InvalidSignature', 400, () => signOrder({ ...stack.info, chainId: 1 }, privateKey, goodTerms())],
    [
      'InvalidSignature',
      400,
      () =>
        signOrder(
          { ...stack.info, contracts: { ...stack.info.contracts, settlement: owner as Hex } },
          privateKey,
          goodTerms(),
        ),
    ],
    ['InvalidSignature', 400, async () => ({ ...(await sign()), from: bannedAddress })],
    [
      'InvalidEip1271Signature',
      400,
      async () => ({ ...(await sign()), signingScheme: 'eip1271', signature: '0x1234' }),
    ],
    ['MissingFrom', 400, async () => ({ ...(await sign()), from: null, signingScheme: 'presign', signature: '0x' })],
    ['AppdataFromMismatch', 400, () => sign({ appData: withMetadata({ signer: bannedAddress }) })],
    ['InvalidAppData', 400, () => sign({ appData: withMetadata({ enableFastPath: true }) })],
    ['Forbidden', 403, () => sign({ receiver: bannedAddress })],
    ['Forbidden', 403, () => sign({}, bannedKey)],
    ['UnsupportedBuyTokenDestination', 400, async () => ({ ...(await sign()), buyTokenBalance: 'internal' })],
    ['UnsupportedSellTokenSource', 400, async () => ({ ...(await sign()), sellTokenBalance: 'external' })],
    ['UnsupportedToken', 400, () => sign({ buyToken: unsupportedToken })],
    ['TransferSimulationFailed', 400, () => sign({ sellToken: `0x${'90'.repeat(20)}` })],
    ['InvalidValidFrom', 400, () => sign({ validTo: now() + 600, appData: withMetadata({ validFrom: now() + 590 }) })],
    [
      'TooMuchGas',
      400,
      () =>
        sign({
          appData: withMetadata({ hooks: { post: [{ target: bannedAddress, callData: '0x', gasLimit: '8000001' }] } }),
        }),
    ],
    ['OrderNotFound', 404, () => sign({ appData: withMetadata({ replacedOrder: { uid: anOrder } }) })],
    ['InsufficientBalance', 400, () => sign({ sellAmount: parseUnits('100000000', 18) })],
    ['InsufficientAllowance', 400, () => sign({ sellToken: token('DAI'), sellAmount: parseUnits('1', 18) })],
  ]

  test.each(cases)('%s (%i)', async (errorType, status, build) => {
    const before = await countOrders()
    const { status: got, body } = await send('POST', '/api/v1/orders', await build())
    expect(body).toMatchObject({ errorType })
    expect(got).toBe(status)
    expect(body.description).toBeTruthy()
    expect(await countOrders()).toBe(before)
  })

  test('DuplicatedOrder (400) for a repeated order, with its UID', async () => {
    const order = await sign()
    const placed = await fetch(`${base}/api/v1/orders`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(order),
    })
    const uid = await placed.json()
    expect(placed.status).toBe(201)
    const before = await countOrders()
    const { status, body } = await send('POST', '/api/v1/orders', order)
    expect([status, body]).toMatchObject([400, { errorType: 'DuplicatedOrder', data: { uid, status: 'open' } }])
    expect(await countOrders()).toBe(before)

    const appData = withMetadata({ replacedOrder: { uid } })
    const stranger = stack.info.accounts[2]?.privateKey as Hex
    const trader = connectTrader(stack.info, stranger)
    await trader.approveRelayer(token('WETH'))
    const refused = await send('POST', '/api/v1/orders', await sign({ appData }, stranger))
    expect([refused.status, refused.body]).toMatchObject([401, { errorType: 'WrongOwner' }])
    const read = await fetch(`${base}/api/v1/orders/${uid}`)
    expect(await read.json()).toMatchObject({ status: 'open' })
  })

  test('TooManyLimitOrders (400) for amounts beyond the quote, or without a quote', async () => {
    const { sellToken, buyToken, sellAmount, buyAmount } = goodTerms()
    const quoted = await fetch(`${base}/api/v1/quote`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sellToken, buyToken, from: owner, kind: 'sell', sellAmountBeforeFee: `${sellAmount}` }),
    })
    const { id } = (await quoted.json()) as { id: number }
    const place = async (more: bigint) => {
      const order = { ...(await sign({ buyAmount: buyAmount + more })), quoteId: id }
      return send('POST', '/api/v1/orders', order)
    }
    let reply = await place(1n)
    for (let more = 2n; reply.status === 201 && more < 10n; more++) reply = await place(more)
    const data = { field: 'limitOrders', limit: maxLimitOrders, open: maxLimitOrders }
    expect([reply.status, reply.body]).toMatchObject([400, { errorType: 'TooManyLimitOrders', data }])
    const before = await countOrders()
    const withoutQuote = await send('POST', '/api/v1/orders', await sign({ sellAmount: sellAmount + 1n }))
    expect([withoutQuote.status, withoutQuote.body]).toMatchObject([400, { errorType: 'TooManyLimitOrders', data }])
    expect(await countOrders()).toBe(before)
  })

  test('a body with another content type, or too long', async () => {
    expect(await send('POST', '/api/v1/orders', 'a=b', 'text/plain')).toMatchObject({
      status: 415,
      body: { errorType: 'UnsupportedMediaType' },
    })
    const long = await sign({ appData: JSON.stringify({ filler: 'x'.repeat(20_000) }) })
    expect(await send('POST', '/api/v1/orders', long)).toMatchObject({
      status: 413,
      body: { errorType: 'PayloadTooLarge' },
    })
  })

  test('a low balance with the actual and the required amount', async () => {
    const required = parseUnits('100000000', 18)
    const { body } = await send('POST', '/api/v1/orders', await sign({ sellAmount: required }))
    expect(body.data).toMatchObject({ required: required.toString(), available: expect.stringMatching(/^\d+$/) })
  })
})

describe('POST quote refuses', () => {
  const request = () => ({
    sellToken: token('WETH'),
    buyToken: token('USDC'),
    from: owner,
    kind: 'sell',
    sellAmountBeforeFee: '1000000000000000000',
  })
  const cases: [string, number, () => Record<string, unknown>][] = [
    ...(['sellToken', 'buyToken', 'from', 'kind', 'sellAmountBeforeFee'] as const).map(
      (field): [string, number, () => Record<string, unknown>] => [
        'InvalidParameter',
        400,
        () => ({ ...request(), [field]: undefined }),
      ],
    ),
    ['InvalidParameter', 400, () => ({ ...request(), sellToken: 'WETH' })],
    ['InvalidParameter', 400, () => ({ ...request(), sellAmountBeforeFee: '0' })],
    ['InvalidParameter', 400, () => ({ ...request(), sellAmountBeforeFee: '1e18' })],
    ['InvalidParameter', 400, () => ({ ...request(), validTo: now() + 600, validFor: 600 })],
    ['InvalidParameter', 400, () => ({ ...request(), signingScheme: 'none' })],
    ['InvalidParameter', 400, () => ({ ...request(), onchainOrder: true })],
    ['SellAmountDoesNotCoverFee', 400, () => ({ ...request(), sellAmountBeforeFee: '10000000000000' })],
    ['NoLiquidity', 400, () => ({ ...request(), buyToken: `0x${'12'.repeat(20)}` })],
    ['SameBuyAndSellToken', 400, () => ({ ...request(), buyToken: token('WETH') })],
    ['InvalidNativeSellToken', 400, () => ({ ...request(), sellToken: `0x${'ee'.repeat(20)}` })],
    ['Forbidden', 403, () => ({ ...request(), from: bannedAddress })],
    ['UnsupportedToken', 400, () => ({ ...request(), buyToken: unsupportedToken })],
    ['UnsupportedBuyTokenDestination', 400, () => ({ ...request(), buyTokenBalance: 'internal' })],
    ['UnsupportedSellTokenSource', 400, () => ({ ...request(), sellTokenBalance: 'internal' })],
    ['InsufficientValidTo', 400, () => ({ ...request(), validFor: 30 })],
    ['ExcessiveValidTo', 400, () => ({ ...request(), validFor: 86_400 })],
    ['InvalidAppData', 400, () => ({ ...request(), appData: '{"metadata":{"enableFastPath":true}}' })],
    ['InvalidAppData', 400, () => ({ ...request(), appData: `0x${'ab'.repeat(32)}` })],
    ...Object.entries(reasonsByToken).map(([buyToken, reason]): [string, number, () => Record<string, unknown>] => [
      reason,
      400,
      () => ({ ...request(), buyToken }),
    ]),
    ['AppDataHashMismatch', 400, () => ({ ...request(), appData: '{}', appDataHash: `0x${'ab'.repeat(32)}` })],
  ]
  test.each(cases)('%s (%i)', async (errorType, status, build) => {
    const before = await countQuotes()
    const { status: got, body } = await send('POST', '/api/v1/quote', build())
    expect(body).toMatchObject({ errorType })
    expect(got).toBe(status)
    expect(body.description).toBeTruthy()
    expect(await countQuotes()).toBe(before)
  })

  test('InternalServerError (500) for an internal failure, without details', async () => {
    const database = connectDatabase(stack.info.databaseUrl)
    await database.execute(sql`alter table quotes rename to quotes_of_another_day`)
    try {
      expect(await send('POST', '/api/v1/quote', request())).toEqual({
        status: 500,
        body: { errorType: 'InternalServerError', description: expect.not.stringContaining('quotes') },
      })
    } finally {
      await database.execute(sql`alter table quotes_of_another_day rename to quotes`)
    }
  })
})

describe('every other route', () => {
  const uid = `0x${'12'.repeat(56)}`
  const wellFormed = { signature: `0x${'12'.repeat(64)}1b`, signingScheme: 'eip712' }
  const cases: [string, string, number, string, unknown?][] = [
    ['GET', `/api/v1/orders/${uid}`, 404, 'NotFound'],
    ['GET', '/api/v1/orders/0x12', 400, 'InvalidParameter'],
    ['GET', `/api/v1/orders/${uid}/status`, 404, 'NotFound'],
    ['POST', '/api/v1/orders/by_uids', 400, 'InvalidParameter', Array.from({ length: 129 }, () => uid)],
    ['POST', '/api/v1/orders/by_uids', 400, 'InvalidParameter', ['0x12']],
    ['POST', '/api/v1/orders/by_uids', 400, 'InvalidParameter', {}],
    ['GET', '/api/v1/account/0x12/orders', 400, 'InvalidParameter'],
    ['GET', `/api/v1/account/0x${'12'.repeat(20)}/orders?limit=0`, 400, 'LIMIT_OUT_OF_BOUNDS'],
    ['GET', `/api/v1/account/0x${'12'.repeat(20)}/orders?limit=1001`, 400, 'LIMIT_OUT_OF_BOUNDS'],
    ['GET', `/api/v1/account/0x${'12'.repeat(20)}/orders?offset=-1`, 400, 'InvalidParameter'],
    ['GET', '/api/v2/trades', 400, 'InvalidTradeFilter'],
    ['GET', `/api/v2/trades?owner=0x${'12'.repeat(20)}&orderUid=${uid}`, 400, 'InvalidTradeFilter'],
    ['GET', '/api/v2/trades?limit=0&owner=0x1212121212121212121212121212121212121212', 400, 'InvalidLimit'],
    ['GET', '/api/v1/transactions/0x12/orders', 400, 'InvalidParameter'],
    ['GET', '/api/v1/users/0x12/total_surplus', 400, 'InvalidParameter'],
    ['GET', '/api/v1/token/0x12/metadata', 400, 'InvalidParameter'],
    ['DELETE', '/api/v1/orders', 400, 'InvalidParameter', {}],
    ['DELETE', `/api/v1/orders/${uid}`, 404, 'OrderNotFound', wellFormed],
    [
      'DELETE',
      '/api/v1/orders',
      400,
      'InvalidSignature',
      { ...wellFormed, signature: `0x${'00'.repeat(65)}`, orderUids: [] },
    ],
    ['GET', `/api/v1/debug/order/${uid}`, 404, 'NotFound'],
    ['GET', '/api/v1/debug/order/xyz', 400, 'InvalidParameter'],
    ['POST', '/api/v1/orders/simulate', 400, 'InvalidParameter', {}],
    ['POST', '/api/v1/orders/simulate', 400, 'InvalidParameter', []],
    ['POST', '/api/v1/orders/simulate', 400, 'InvalidParameter', '{"sellToken":'],
    ['POST', '/api/v1/orders/simulate', 400, 'InvalidParameter', { sellToken: '0x12' }],
    ['GET', '/api/v1/orders/simulate', 405, 'MethodNotAllowed'],
    ['POST', `/api/v1/orders/${uid}/simulate`, 405, 'MethodNotAllowed', {}],
    ['GET', `/api/v1/orders/${uid}/simulate`, 404, 'NotFound'],
    ['GET', '/api/v1/orders/0x12/simulate', 400, 'InvalidParameter'],
    ['GET', '/api/v2/solver_competition/abc', 400, 'InvalidParameter'],
    ['GET', '/api/v2/solver_competition/999999', 404, 'NotFound'],
    ['GET', '/api/v1/token/0x12/native_price', 400, 'InvalidParameter'],
    ['GET', `/api/v1/token/0x${'12'.repeat(20)}/native_price`, 400, 'NoLiquidity'],
    ['PUT', `/api/v1/app_data/0x${'12'.repeat(32)}`, 400, 'AppDataHashMismatch', { fullAppData: '{}' }],
    ['PUT', '/api/v1/app_data', 400, 'InvalidAppData', { fullAppData: '[]' }],
    ['GET', `/api/v1/app_data/0x${'12'.repeat(32)}`, 404, 'NotFound'],
    ['PUT', '/api/v1/orders', 405, 'MethodNotAllowed', {}],
    ['GET', '/api/v1/nothing', 404, 'NotFound'],
  ]
  test.each(cases)('%s %s → %i %s', async (method, path, status, errorType, body) => {
    const answer = await send(method, path, body)
    expect(answer.body).toMatchObject({ errorType })
    expect(answer.status).toBe(status)
  })

  test('names the known networks for an unknown one', async () => {
    const response = await fetch(`${stack.info.baseUrl}/atlantis/api/v1/version`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ errorType: 'NotFound', data: { networks: ['sepolia'] } })
  })
})

describe('the auxiliary API rejects with a message', () => {
  const address = `0x${'12'.repeat(20)}`
  const cases: [string, string, number, string, unknown?][] = [
    ['GET', `/markets/${address}/slippageTolerance`, 400, 'pair: two addresses'],
    ['GET', `/markets/${address}-0x12/volatilityDetails`, 400, 'pair: two addresses'],
    ['POST', '/yield/pools', 400, '0: an address', ['0x12']],
    ['POST', '/yield/pools', 400, 'body', {}],
    ['POST', '/simulation/simulateBundle', 400, 'body', []],
    ['POST', '/simulation/simulateBundle', 400, '0.to is missing', [{ from: address, input: '0x' }]],
    ['GET', '/simulation/simulateBundle', 405, 'method'],
    ['GET', '/markets/nothing', 404, 'no such route or resource'],
  ]
  test.each(cases)('%s %s → %i %s', async (method, path, status, message, body) => {
    const answer = await send(method, path, body)
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } })
    expect(answer.body.errorType).toBeUndefined()
  })
})

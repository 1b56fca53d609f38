import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { updateCancelledOrders } from '#schema/queries/orders/cancellations.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { tokens as tokenTable } from '#schema/tables/markets/tokens.ts'
import { notifications } from '#schema/tables/notifications/notifications.ts'
import { networks } from '#shared/networks.ts'
import { notificationTypes } from '#shared/notifications/notificationTypes.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { buildSettledWin } from '#test/helpers/database/buildSettledWin.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { indexBlock } from '#test/helpers/database/indexBlock.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type BadNode, startBadNode } from '#tools/stack/chain/badNode.ts'
import { deployTestTokens, type TestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import accounts from '../index.ts'

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const { chainId } = networks.sepolia
const account = `0x${'ab'.repeat(20)}` as const
const path = `/accounts/${account}/notifications`

const { database, databaseUrl, close } = await startTestDatabase()
let chain: TestChain
let node: BadNode
let tokens: TestTokens
let settings: Record<string, unknown>

beforeAll(async () => {
  chain = await startTestChain()
  node = await startBadNode(chain.rpcUrl)
  tokens = await deployTestTokens(chain.chain)
  settings = {
    RPC_URLS: JSON.stringify({ sepolia: node.url }),
    CMS_ENABLED: 'true',
    CMS_API_KEY: 'on',
    DATABASE_URL: databaseUrl,
    WATCHES: {},
    SLOTS: {},
  }
})
afterAll(async () => {
  node?.close()
  await chain?.stop()
  await close()
})
beforeEach(async () => {
  await emptyDatabase(database)
  node.interfere()
})

type Listed = { id: string; account: string; type: string; message: string; metadata: Record<string, unknown> }

const ask = async (target = path, { env = settings, method = 'GET' } = {}) => {
  const response = await accounts.fetch(new Request(`http://accounts${target}`, { method }), env, context)
  const text = await response.text()
  return {
    status: response.status,
    cached: response.headers.get('Cache-Control'),
    body: (text ? JSON.parse(text) : undefined) as Listed[],
  }
}

let created = 0
const tell = async (rows: Partial<typeof notifications.$inferInsert>[]) => {
  const facts = {
    kind: 'sell',
    partiallyFillable: false,
    sellToken: tokens.DAI.address,
    buyToken: tokens.USDC.address,
    sellAmount: '1500000000000000000',
    buyAmount: '1000000',
    validTo: 4_000_000_000,
    placedOnchain: false,
    executedSellAmount: '0',
    executedBuyAmount: '0',
  } as const
  const inserted = rows.map((changes, i) => ({
    chainId,
    account,
    orderUid: newOrder(i).uid,
    type: 'order_expired' as const,
    key: `expired ${created++}`,
    eventId: i,
    facts,
    ...changes,
  }))
  await database.insert(notifications).values(inserted)
}

test('lists the newest fifty with their messages, and reads token details from the node once', async () => {
  await tell(Array.from({ length: 51 }, () => ({})))
  await tell([{ account: `0x${'cd'.repeat(20)}` }, { retractedAt: new Date() }])
  const { status, cached, body } = await ask()
  expect([status, cached, body.length]).toEqual([200, 'public, max-age=300', 50])
  const ids = body.map(({ id }) => Number(id))
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect(body[0]).toMatchObject({
    account,
    type: 'order_expired',
    message: 'Your order on Sepolia to sell 1.5 DAI for at least 1 USDC expired unfilled.',
    metadata: { chainId, network: 'sepolia', sell: { formatted: '1.5', symbol: 'DAI' } },
  })
  expect(node.calls.map(({ method }) => method)).toEqual(['eth_call'])
  expect((await ask()).body).toEqual(body)
  expect(node.calls).toHaveLength(1)
})

describe('an order', () => {
  const order = newOrder(1, { sellAmount: 1_000n, buyAmount: 2_100n })
  const listOwn = async () => (await ask(`/accounts/${order.owner}/notifications`)).body
  const listTypes = async () => (await listOwn()).map(({ type }) => type)
  const fill = () => indexBlock(database, 2, buildSettledWin(2, 77, order.uid, order.sellAmount))
  beforeEach(() => insertOrder(database, order))

  test('that is filled paid the fee in its price', async () => {
    await fill()
    const trade = { sell: { amount: '1000' }, buy: { amount: '2100' }, fee: { amount: '4' } }
    expect(await listOwn()).toMatchObject([{ type: 'order_filled', metadata: { trade } }])
  })

  test('that a settlement in flight fills after its cancellation is filled only, until a reorganisation undoes the fill', async () => {
    await updateCancelledOrders(database, chainId, [order.uid], 0)
    expect(await listTypes()).toEqual(['order_cancelled'])
    await fill()
    expect(await listTypes()).toEqual(['order_filled'])
    await indexBlock(database, 2, {}, true)
    expect(await listTypes()).toEqual(['order_cancelled'])
  })
})

test('accepts the address in any case, a HEAD request, and an account without notifications', async () => {
  await tell([{}])
  const upper = `/accounts/0x${account.slice(2).toUpperCase()}/notifications`
  expect((await ask(upper)).body).toEqual((await ask()).body)
  expect(await ask(path, { method: 'HEAD' })).toEqual({ status: 200, cached: 'public, max-age=300', body: undefined })
  expect(await ask(`/accounts/0x${'11'.repeat(20)}/notifications`)).toEqual({
    status: 200,
    cached: 'public, max-age=300',
    body: [],
  })
})

test('pages have no gaps, and filters apply', async () => {
  await tell([{}, { type: 'order_cancelled', facts: cancelledFacts() }, {}, { chainId: 1 }, {}])
  const [first, second] = [await ask(`${path}?limit=2`), await ask(`${path}?limit=2&unknown=1`)]
  expect(second.body).toEqual(first.body)
  const next = await ask(`${path}?limit=100&before=${first.body[1]?.id}`)
  expect([...first.body, ...next.body].map(({ id }) => id)).toEqual((await ask()).body.map(({ id }) => id))
  const typesOf = async (query: string) => (await ask(path + query)).body.map(({ type }) => type)
  expect(await typesOf('?type=order_cancelled')).toEqual(['order_cancelled'])
  expect(await typesOf('?type=order_cancelled,%20order_expired')).toHaveLength(5)
  expect(await typesOf('?type=order_cancelled&type=order_expired')).toHaveLength(5)
  expect(await typesOf('?type=order_filled')).toEqual([])
  expect(await typesOf('?network=mainnet')).toHaveLength(1)
  expect(await typesOf('?network=1,sepolia&type=order_expired')).toHaveLength(4)
})

const cancelledFacts = () => ({
  kind: 'buy' as const,
  partiallyFillable: true,
  sellToken: tokens.DAI.address,
  buyToken: tokens.USDC.address,
  sellAmount: '1',
  buyAmount: '1',
  validTo: 4_000_000_000,
  placedOnchain: false,
  executedSellAmount: '0',
  executedBuyAmount: '0',
  cancellation: { by: null, replacedBy: null, transactionHash: null },
})

test.each<[string, string]>([
  ['/accounts/0x12/notifications', 'account: an address'],
  [`${path}?limit=0`, 'limit: from 1 to 100'],
  [`${path}?limit=101`, 'limit: from 1 to 100'],
  [`${path}?limit=all`, 'limit: from 1 to 100'],
  [`${path}?before=now`, 'before: the id of a notification'],
  [`${path}?before=-1`, 'before: the id of a notification'],
  [`${path}?type=order_lost`, 'type: one of order_filled, '],
  [`${path}?type=`, 'type: one of order_filled, '],
  [`${path}?network=atlantis`, 'network: chain ids or names of networks, separated by commas'],
])('%s is 400', async (target, message) => {
  expect(await ask(target)).toEqual({
    status: 400,
    cached: 'no-store',
    body: { message: expect.stringContaining(message), data: expect.anything() },
  })
})

test('while the node is unavailable amounts are in atoms, and the response is not cacheable', async () => {
  await tell([{}])
  const away = { ...settings, RPC_URLS: JSON.stringify({ sepolia: 'http://127.0.0.1:9' }) }
  const { status, cached, body } = await ask(path, { env: away })
  expect([status, cached]).toEqual([200, 'no-cache'])
  expect(body[0]?.message).toMatch(/to sell 1,500,000,000,000,000,000 atoms of 0x\w{4}…\w{4} for/)
  expect(await database.select().from(tokenTable)).toEqual([])
  expect((await ask()).body[0]?.message).toContain('1.5 DAI')
})

describe('the backend is switched off', () => {
  test.each([
    ['CMS_ENABLED', 'false'],
    ['CMS_ENABLED', undefined],
    ['CMS_API_KEY', ''],
    ['CMS_API_KEY', undefined],
    ['DATABASE_URL', ''],
    ['DATABASE_URL', undefined],
  ])('without %s (%s) notifications are 503, and balances are not', async (name, value) => {
    const env = { ...settings, [name]: value }
    expect(await ask(path, { env })).toEqual({
      status: 503,
      cached: 'no-store',
      body: { message: 'notifications are switched off', data: { settings: [name] } },
    })
    expect(await ask('/readyz', { env })).toMatchObject({
      status: 200,
      body: { dependencies: { 'rpc-sepolia': 'ok' } },
    })
    const balances = await ask(`/sepolia/accounts/${account}/balances?tokens=${tokens.USDC.address}`, { env })
    expect(balances.status).toBe(200)
  })

  test('an unavailable database is 503, too, also in /readyz', async () => {
    const env = { ...settings, DATABASE_URL: 'postgres://user:password@127.0.0.1:9/none' }
    expect(await ask(path, { env })).toMatchObject({ status: 503, cached: 'no-store' })
    expect(await ask('/readyz', { env })).toMatchObject({
      status: 503,
      body: { dependencies: { database: 'unavailable' } },
    })
  })
})

test('every type of the specification is a valid filter', () => {
  expect(notificationTypes).toEqual(
    expect.arrayContaining([
      'insufficient_balance',
      'order_cancelled',
      'order_expired',
      'order_filled',
      'order_partially_filled',
      'price_improvement',
    ]),
  )
})

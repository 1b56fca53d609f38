import { eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { connectDatabase, type SendRequest } from '#schema/client.ts'
import { auctionEntries, currentAuctions } from '#schema/tables/auctions/auctions.ts'
import { solutionOrders } from '#schema/tables/auctions/solutions.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { networks } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder, orderUidOf, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { signCancellation, signCancellations } from '#test/helpers/orders/signCancellation.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import type { CancellationDeps } from './cancelOrders.ts'
import { deleteOrder } from './deleteOrder.ts'
import { deleteOrders } from './deleteOrders.ts'

const [{ address: owner }, { privateKey: strangersKey }] = devAccounts
const stranger = privateKeyToAccount(strangersKey)
const { chainId, settlementContract } = networks.sepolia
const now = 1_800_000_000
const [uid, second, third] = [orderUidOf(1), orderUidOf(2), orderUidOf(3)]

const { database, databaseUrl, close } = await startTestDatabase()
afterAll(close)
beforeEach(async () => {
  await emptyDatabase(database)
  await store([1, 2, 3])
})

/** Stores open orders of `owner`. */
const store = async (seeds: number[]) => {
  for (const seed of seeds) await storeOrder(database, newOrder(seed, { sellAmount: 1000n }))
}
const change = (of: Hex, changes: Partial<typeof orders.$inferInsert>) =>
  database.update(orders).set(changes).where(eq(orders.uid, of))

const call = async (
  route: (deps: CancellationDeps) => { request: (path: string, init: RequestInit) => Response | Promise<Response> },
  path: string,
  body: unknown,
  send?: SendRequest,
) => {
  const app = route({
    database: send ? connectDatabase(databaseUrl, 20_000, send) : database,
    chainId,
    domainSeparator: computeDomainSeparator(chainId, settlementContract),
    now: () => 1_000 * now,
    recoverPublicKey,
  })
  const init = { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await app.request(`/api/v1/orders${path}`, init)
  const rows = await database.select().from(orders).orderBy(orders.uid)
  return {
    status: response.status,
    body: (await response.json()) as unknown,
    inFlight: response.headers.get('X-Order-In-Flight'),
    cancelled: rows.flatMap((order) => (order.cancelledAt !== null && order.version > 1 ? [order.uid] : [])),
  }
}
const cancelAll = (body: unknown, send?: SendRequest) => call(deleteOrders, '', body, send)
const cancelOne = (of: string, body: unknown) => call(deleteOrder, `/${of}`, body)

const done = { status: 200, body: 'Cancelled', inFlight: null }

describe.each(['eip712', 'ethsign'] as const)('a signature by %s', (scheme) => {
  test('cancels several orders of its signer', async () => {
    const body = await signCancellations([uid, second], scheme)
    expect(await cancelAll(body)).toEqual({ ...done, cancelled: [uid, second] })
  })

  test('cancels one order by its path, in any case', async () => {
    const upperCase = `0x${uid.slice(2).toUpperCase()}`
    expect(await cancelOne(upperCase, await signCancellation(uid, scheme))).toEqual({ ...done, cancelled: [uid] })
  })

  test('cancels no order of another owner', async () => {
    expect(await cancelAll(await signCancellations([uid], scheme, stranger))).toMatchObject({
      status: 401,
      body: { errorType: 'WrongOwner', data: { uid, signer: stranger.address.toLowerCase(), expected: owner } },
      cancelled: [],
    })
  })

  test('cancels no order under the name of the other scheme', async () => {
    const signingScheme = scheme === 'eip712' ? 'ethsign' : 'eip712'
    const body = { ...(await signCancellations([uid], scheme)), signingScheme }
    expect(await cancelAll(body)).toMatchObject({ status: 401, body: { errorType: 'WrongOwner' }, cancelled: [] })
  })
})

test('duplicates are accepted, and the signature is over the list in its order', async () => {
  const reordered = { ...(await signCancellations([uid, second])), orderUids: [second, uid] }
  expect(await cancelAll(reordered)).toMatchObject({ status: 401, cancelled: [] })
  expect(await cancelAll(await signCancellations([uid, second, uid]))).toEqual({ ...done, cancelled: [uid, second] })
})

test('128 orders are cancelled at once, and an empty list is accepted', async () => {
  expect(await cancelAll(await signCancellations([]))).toEqual({ ...done, cancelled: [] })
  const seeds = Array.from({ length: 128 }, (_, seed) => seed)
  await store(seeds.filter((seed) => seed < 1 || seed > 3))
  const uids = seeds.map((seed) => orderUidOf(seed))
  expect(await cancelAll(await signCancellations(uids))).toEqual({ ...done, cancelled: uids })
})

test('states which orders may still be settled, by their index in the request', async () => {
  const { sellToken, buyToken } = newOrder(0)
  const limits = { side: 'sell', sellToken, buyToken, limitSell: 1n, limitBuy: 1n } as const
  const solution = { chainId, auctionId: 7, solutionUid: 0 }
  const attempt = { ...solution, solver: stranger.address, startBlock: 7, deadlineBlock: 12 }
  await database.insert(settlementAttempts).values(attempt)
  const executed = { executedSell: 1n, executedBuy: 1n }
  await database.insert(solutionOrders).values({ ...solution, ...limits, ...executed, orderUid: uid })
  await database.insert(currentAuctions).values({ chainId, id: 8, block: 8 })
  await database.insert(auctionEntries).values({ chainId, orderUid: third, enteredAuctionId: 8 })
  const inFlight = '0;auction=7;deadline=12, 2;auction=8'
  expect(await cancelAll(await signCancellations([uid, second, third]))).toMatchObject({ ...done, inFlight })
})

test('states that the order of the path may still be settled', async () => {
  await database.insert(currentAuctions).values({ chainId, id: 8, block: 8 })
  await database.insert(auctionEntries).values({ chainId, orderUid: third, enteredAuctionId: 8 })
  const inFlight = '0;auction=8'
  expect(await cancelOne(third, await signCancellation(third))).toMatchObject({ ...done, inFlight })
})

const uncancellable: [string, number, string, Partial<typeof orders.$inferInsert> | null][] = [
  ['unknown', 404, 'OrderNotFound', null],
  ['signed by a contract', 400, 'OnChainOrder', { signingScheme: 'eip1271' }],
  ['filled', 400, 'OrderFullyExecuted', { executedSellAmount: 1000n }],
  ['cancelled', 400, 'AlreadyCancelled', { cancelledAt: new Date() }],
  ['expired', 400, 'OrderExpired', { validTo: now - 1 }],
]

describe.each(uncancellable)('an order that is %s → %i %s', (_name, status, errorType, changes) => {
  const refused = { status, body: { errorType, data: { uid: second } }, cancelled: [] }
  beforeEach(async () => {
    if (changes) await change(second, changes)
    else await database.delete(orders).where(eq(orders.uid, second))
  })

  test('in a list: none is cancelled for any signer', async () => {
    expect(await cancelAll(await signCancellations([uid, second], 'eip712', stranger))).toMatchObject(refused)
  })

  test('alone, before its signature is checked', async () => {
    expect(await cancelOne(second, { signature: '0x12', signingScheme: 'eip712' })).toMatchObject(refused)
  })
})

test('a list with an order of another owner cancels nothing', async () => {
  const other = `0x${'99'.repeat(20)}` as const
  await change(second, { owner: other })
  const result = await cancelAll(await signCancellations([uid, second]))
  expect(result).toMatchObject({ status: 401, body: { data: { uid: second, expected: other } }, cancelled: [] })
})

describe('a signature of the owner', () => {
  const refused = { status: 401, body: { errorType: 'WrongOwner' }, cancelled: [] }
  const account = privateKeyToAccount(devAccounts[0].privateKey)
  const signIn = (changes: { chainId?: number; verifyingContract?: Hex }) =>
    account.signTypedData({
      domain: { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract: settlementContract, ...changes },
      types: { OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }] },
      primaryType: 'OrderCancellations',
      message: { orderUids: [uid] },
    })

  test.each([
    ['on another network', { chainId: 1 }],
    ['for another settlement contract', { verifyingContract: `0x${'99'.repeat(20)}` as const }],
  ])('%s cancels nothing', async (_name, changes) => {
    const body = { orderUids: [uid], signature: await signIn(changes), signingScheme: 'eip712' }
    expect(await cancelAll(body)).toMatchObject(refused)
  })

  test('cancels nothing but the orders that it names', async () => {
    const signed = await signCancellations([uid])
    for (const orderUids of [[second], [uid, second], [uid, uid], []]) {
      const result = await cancelAll({ ...signed, orderUids })
      expect(result.cancelled).toEqual([])
      if (orderUids.length > 0) expect(result).toMatchObject(refused)
    }
    expect(await cancelOne(second, await signCancellation(uid))).toMatchObject(refused)
  })

  test('over a list does not cancel by the path, nor the other way round', async () => {
    expect(await cancelOne(uid, await signCancellations([uid]))).toMatchObject({ status: 401, cancelled: [] })
    const body = { ...(await signCancellation(uid)), orderUids: [uid] }
    expect(await cancelAll(body)).toMatchObject({ status: 401, cancelled: [] })
  })

  test('mirrored to a high s cancels once, as on-chain', async () => {
    const { signature, ...body } = await signCancellations([uid])
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
    const v = signature.endsWith('1b') ? '1c' : '1b'
    const mirrored = { ...body, signature: `${signature.slice(0, 66)}${s}${v}` }
    expect(await cancelAll(mirrored)).toEqual({ ...done, cancelled: [uid] })
    expect(await cancelAll(mirrored)).toMatchObject({ status: 400, body: { errorType: 'AlreadyCancelled' } })
  })
})

test.each(['0x', '0x12', `0x${'00'.repeat(65)}`, `0x${'11'.repeat(64)}05`, `0x${'ff'.repeat(64)}1b`])(
  'signature %s → 400 InvalidSignature',
  async (signature) => {
    const refused = { status: 400, body: { errorType: 'InvalidSignature' }, cancelled: [] }
    expect(await cancelAll({ ...(await signCancellations([uid])), signature })).toMatchObject(refused)
    expect(await cancelAll({ ...(await signCancellations([])), signature })).toMatchObject(refused)
    expect(await cancelOne(uid, { signature, signingScheme: 'ethsign' })).toMatchObject(refused)
  },
)

describe('an order that is filled between the look-up and the update', () => {
  /** Sends the update, the second statement, while the order is filled. */
  const fillBeforeUpdate = (fillAfter: bigint): SendRequest => {
    let statements = 0
    return async (url, init) => {
      statements += 1
      const isUpdate = statements === 2
      if (isUpdate) await change(uid, { executedSellAmount: 1000n })
      const response = await fetch(url, init)
      if (isUpdate) await change(uid, { executedSellAmount: fillAfter })
      return response
    }
  }

  test('is reported as filled', async () => {
    expect(await cancelAll(await signCancellations([uid]), fillBeforeUpdate(1000n))).toMatchObject({
      status: 400,
      body: { errorType: 'OrderFullyExecuted' },
      cancelled: [],
    })
  })

  test('and open again afterwards is a 503 that may be retried', async () => {
    expect(await cancelAll(await signCancellations([uid]), fillBeforeUpdate(0n))).toMatchObject({
      status: 503,
      body: { errorType: 'ServiceUnavailable', data: { retryable: true } },
      cancelled: [],
    })
  })
})

const signature = `0x${'11'.repeat(65)}`
const signingScheme = 'eip712'

test.each<[string, unknown]>([
  ['129 orders', { orderUids: Array.from({ length: 129 }, () => uid), signature, signingScheme }],
  ['no list', { signature, signingScheme }],
  ['a malformed UID', { orderUids: ['0x12'], signature, signingScheme }],
  ['no signature', { orderUids: [uid], signingScheme }],
  ['a signature without 0x', { orderUids: [uid], signature: signature.slice(2), signingScheme }],
  ['a signature of half a byte', { orderUids: [uid], signature: '0x1', signingScheme }],
  ['a signature of 300 bytes', { orderUids: [uid], signature: `0x${'11'.repeat(300)}`, signingScheme }],
  ['a scheme that no key signs with', { orderUids: [uid], signature, signingScheme: 'presign' }],
  ['no object', [uid]],
])('%s → 400 InvalidParameter', async (_name, body) => {
  const refused = { status: 400, body: { errorType: 'InvalidParameter' }, cancelled: [] }
  expect(await cancelAll(body)).toMatchObject(refused)
})

test('a malformed UID in the path, or no scheme → 400 InvalidParameter', async () => {
  const refused = { status: 400, body: { errorType: 'InvalidParameter' }, cancelled: [] }
  expect(await cancelOne('0x12', { signature, signingScheme })).toMatchObject(refused)
  expect(await cancelOne(uid, { signature })).toMatchObject(refused)
})

import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { CancellationFacts, OrderInFlight } from '#schema/queries/orders/cancellations.ts'
import { networks } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { orderUidOf } from '#test/helpers/database/newOrder.ts'
import { signCancellation, signCancellations } from '#test/helpers/orders/signCancellation.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import type { CancellationDeps } from './cancelOrders.ts'
import { deleteOrder } from './deleteOrder.ts'
import { deleteOrders } from './deleteOrders.ts'

const [{ address: owner }, { privateKey: strangersKey }] = devAccounts
const { chainId, settlementContract } = networks.sepolia
const now = 1_800_000_000
const [uid, second, third] = [orderUidOf(1), orderUidOf(2), orderUidOf(3)]
const schemes = ['eip712', 'ethsign'] as const

const openOrder = (of: Hex): CancellationFacts => ({
  ...filledOrder,
  uid: of,
  owner,
  executedSellAmount: 0n,
  executedBuyAmount: 0n,
})

/** All of the orders are open, unless `changes` says otherwise. */
const call = async (
  route: (deps: CancellationDeps) => { request: (path: string, init: RequestInit) => Response | Promise<Response> },
  path: string,
  body: unknown,
  {
    changes = {},
    outcomes = [[]],
  }: { changes?: Record<Hex, Partial<CancellationFacts> | null>; outcomes?: (OrderInFlight[] | undefined)[] } = {},
) => {
  const cancelled: Hex[][] = []
  const app = route({
    domainSeparator: computeDomainSeparator(chainId, settlementContract),
    now: () => 1_000 * now,
    recoverPublicKey,
    selectCancellationFacts: async (uids) =>
      uids.flatMap((of) => (changes[of] === null ? [] : [{ ...openOrder(of), ...changes[of] }])),
    updateCancelledOrders: async (uids, at) => {
      expect(at).toBe(now)
      cancelled.push(uids)
      return outcomes.shift()
    },
  })
  const init = { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await app.request(`/api/v1/orders${path}`, init)
  return {
    status: response.status,
    body: (await response.json()) as unknown,
    inFlight: response.headers.get('X-Order-In-Flight'),
    cancelled,
  }
}
type Options = Parameters<typeof call>[3]
const cancelAll = (body: unknown, options?: Options) => call(deleteOrders, '', body, options)
const cancelOne = (of: string, body: unknown, options?: Options) => call(deleteOrder, `/${of}`, body, options)

describe.each(schemes)('%s', (scheme) => {
  test('several orders of their owner', async () => {
    const body = await signCancellations([uid, second], scheme)
    expect(await cancelAll(body)).toEqual({
      status: 200,
      body: 'Cancelled',
      inFlight: null,
      cancelled: [[uid, second]],
    })
  })

  test('one order by its path', async () => {
    const upperCase = `0x${uid.slice(2).toUpperCase()}`
    const result = await cancelOne(upperCase, await signCancellation(uid, scheme))
    expect(result).toEqual({ status: 200, body: 'Cancelled', inFlight: null, cancelled: [[uid]] })
  })

  test('of another owner → 401 WrongOwner', async () => {
    const body = await signCancellations([uid], scheme, privateKeyToAccount(strangersKey))
    expect(await cancelAll(body)).toMatchObject({
      status: 401,
      body: { errorType: 'WrongOwner', data: { uid, signer: devAccounts[1].address, expected: owner } },
      cancelled: [],
    })
  })

  test('the other scheme than was signed → 401', async () => {
    const signingScheme = scheme === 'eip712' ? 'ethsign' : 'eip712'
    const body = { ...(await signCancellations([uid], scheme)), signingScheme }
    expect(await cancelAll(body)).toMatchObject({ status: 401, body: { errorType: 'WrongOwner' }, cancelled: [] })
  })
})

test('duplicates are tolerated; the signature is over the list as it came', async () => {
  expect(await cancelAll(await signCancellations([uid, second, uid]))).toMatchObject({ cancelled: [[uid, second]] })
  const reordered = { ...(await signCancellations([uid, second])), orderUids: [second, uid] }
  expect(await cancelAll(reordered)).toMatchObject({ status: 401, cancelled: [] })
})

test('128 orders at once, and an empty list that is signed', async () => {
  const uids = Array.from({ length: 128 }, (_, seed) => orderUidOf(seed))
  expect(await cancelAll(await signCancellations(uids))).toMatchObject({ status: 200, cancelled: [uids] })
  expect(await cancelAll(await signCancellations([]))).toMatchObject({ status: 200, body: 'Cancelled', cancelled: [] })
})

test('states which orders may still be settled, by their index in the request', async () => {
  const inFlight = [
    { uid: third, auctionId: 8, deadlineBlock: null },
    { uid, auctionId: 7, deadlineBlock: 12 },
  ]
  expect(await cancelAll(await signCancellations([uid, second, third]), { outcomes: [inFlight] })).toMatchObject({
    status: 200,
    body: 'Cancelled',
    inFlight: '0;auction=7;deadline=12, 2;auction=8',
  })
  expect(await cancelOne(third, await signCancellation(third), { outcomes: [inFlight.slice(0, 1)] })).toMatchObject({
    inFlight: '0;auction=8',
  })
})

const uncancellable: [string, number, string, Partial<CancellationFacts> | null][] = [
  ['unknown', 404, 'OrderNotFound', null],
  ['presigned', 400, 'OnChainOrder', { signingScheme: 'presign', presigned: true }],
  ['waiting for its pre-signature', 400, 'OnChainOrder', { signingScheme: 'presign' }],
  ['signed by a contract', 400, 'OnChainOrder', { signingScheme: 'eip1271' }],
  ['filled', 400, 'OrderFullyExecuted', { executedSellAmount: 1000n }],
  ['cancelled', 400, 'AlreadyCancelled', { cancelledAt: new Date() }],
  ['invalidated on-chain', 400, 'AlreadyCancelled', { invalidated: true }],
  ['expired', 400, 'OrderExpired', { validTo: now - 1 }],
]

describe.each(uncancellable)('an order that is %s → %i %s', (_name, status, errorType, change) => {
  const refused = { status, body: { errorType, data: { uid: second } }, cancelled: [] }

  test('in a list: nothing is cancelled for any signer', async () => {
    const body = await signCancellations([uid, second], 'eip712', privateKeyToAccount(strangersKey))
    expect(await cancelAll(body, { changes: { [second]: change } })).toMatchObject(refused)
  })

  test('alone, before its signature is looked at', async () => {
    const body = { signature: '0x12', signingScheme: 'eip712' }
    expect(await cancelOne(second, body, { changes: { [second]: change } })).toMatchObject(refused)
  })
})

test('one order of another owner in the list: nothing is cancelled', async () => {
  const other = `0x${'99'.repeat(20)}` as const
  const result = await cancelAll(await signCancellations([uid, second]), { changes: { [second]: { owner: other } } })
  expect(result).toMatchObject({ status: 401, body: { data: { uid: second, expected: other } }, cancelled: [] })
})

describe('a signature of the owner cancels nothing', () => {
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
    ['of another settlement contract', { verifyingContract: `0x${'99'.repeat(20)}` as const }],
  ])('%s', async (_name, changes) => {
    const body = { orderUids: [uid], signature: await signIn(changes), signingScheme: 'eip712' }
    expect(await cancelAll(body)).toMatchObject(refused)
  })

  test('but the orders that it names', async () => {
    const signed = await signCancellations([uid])
    for (const orderUids of [[second], [uid, second], [uid, uid], []]) {
      const result = await cancelAll({ ...signed, orderUids })
      expect(result.cancelled).toEqual([])
      if (orderUids.length > 0) expect(result).toMatchObject(refused)
    }
    expect(await cancelOne(second, await signCancellation(uid))).toMatchObject(refused)
  })

  test('whose UID names another owner', async () => {
    const stored = { ...openOrder(second), owner: devAccounts[1].address.toLowerCase() as Hex }
    expect(await cancelAll(await signCancellations([second]), { changes: { [second]: stored } })).toMatchObject(refused)
  })
})

test('the mirrored signature with a high s cancels once, as on-chain', async () => {
  const { signature, ...body } = await signCancellations([uid])
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const v = signature.endsWith('1b') ? '1c' : '1b'
  const mirrored = { ...body, signature: `${signature.slice(0, 66)}${s}${v}` }
  expect(await cancelAll(mirrored)).toMatchObject({ status: 200, cancelled: [[uid]] })
  expect(await cancelAll(mirrored, { changes: { [uid]: { cancelledAt: new Date() } } })).toMatchObject({
    status: 400,
    body: { errorType: 'AlreadyCancelled' },
    cancelled: [],
  })
})

test('a bulk signature does not cancel by the path, nor the other way round', async () => {
  expect(await cancelOne(uid, await signCancellations([uid]))).toMatchObject({ status: 401, cancelled: [] })
  const body = { ...(await signCancellation(uid)), orderUids: [uid] }
  expect(await cancelAll(body)).toMatchObject({ status: 401, cancelled: [] })
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

describe('an order that changed since it was looked up', () => {
  test('is what it is by now', async () => {
    const changes: Record<Hex, Partial<CancellationFacts>> = {}
    const body = await signCancellations([uid])
    const app = deleteOrders({
      domainSeparator: computeDomainSeparator(chainId, settlementContract),
      now: () => 1_000 * now,
      recoverPublicKey,
      selectCancellationFacts: async () => [{ ...openOrder(uid), ...changes[uid] }],
      updateCancelledOrders: async () => {
        changes[uid] = { executedSellAmount: 1000n }
        return undefined
      },
    })
    const init = { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const response = await app.request('/api/v1/orders', init)
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ errorType: 'OrderFullyExecuted' }),
    ])
  })

  test('and changed back: try again', async () => {
    expect(await cancelAll(await signCancellations([uid]), { outcomes: [undefined] })).toMatchObject({
      status: 503,
      body: { errorType: 'ServiceUnavailable', data: { retryable: true } },
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
  ['a signature without end', { orderUids: [uid], signature: `0x${'11'.repeat(300)}`, signingScheme }],
  ['a scheme that no key signs with', { orderUids: [uid], signature, signingScheme: 'presign' }],
  ['no object', [uid]],
])('%s → 400 InvalidParameter', async (_name, body) => {
  expect(await cancelAll(body)).toMatchObject({
    status: 400,
    body: { errorType: 'InvalidParameter' },
    cancelled: [],
  })
})

test('a malformed UID in the path, or no scheme → 400 InvalidParameter', async () => {
  const refused = { status: 400, body: { errorType: 'InvalidParameter' }, cancelled: [] }
  expect(await cancelOne('0x12', { signature, signingScheme })).toMatchObject(refused)
  expect(await cancelOne(uid, { signature })).toMatchObject(refused)
})

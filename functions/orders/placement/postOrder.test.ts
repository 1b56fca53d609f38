import { eq, getTableColumns } from 'drizzle-orm'
import { type Address, type Hex, keccak256, toBytes } from 'viem'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { insertAppData } from '#schema/queries/orders/appData.ts'
import { recomputeOrders } from '#schema/queries/orders/executedOrders.ts'
import type { NewQuote } from '#schema/queries/quotes/quotes.ts'
import { invalidations } from '#schema/tables/chain/invalidations.ts'
import { presignatures } from '#schema/tables/chain/presignatures.ts'
import { appData } from '#schema/tables/orders/appData.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { quotes } from '#schema/tables/quotes/quotes.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { ApiError } from '#shared/http/errors.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import type { OrderQuery } from '#shared/orders/chainFacts/orderQuery.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'
import type { PauseSubject } from '#shared/pauses/pauses.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { solverFeatures } from '#shared/solvers/solverList.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { hashOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { signOrderCreation } from '#test/helpers/orders/signOrderCreation.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { type PostOrderDeps, postOrder } from './postOrder.ts'

const network = networks.sepolia
const now = 1_800_000_000
const validTo = now + 600
const owner = devAccounts[0].address
const contractOwner: Address = '0x7000000000000000000000000000000000000007'
const unknownHash = `0x${'ab'.repeat(32)}`
const presign = { signingScheme: 'presign', signature: '0x' } as const
const fortune = { balance: 10n ** 18n, allowance: 10n ** 18n }
const rich: ChainFacts = {
  block: undefined,
  funds: fortune,
  hooksRan: true,
  isSigned: true,
  hasContract: undefined,
  payout: undefined,
  filledAmount: undefined,
  transfers: undefined,
  revertingHook: undefined,
}
const withFacts = (facts: Partial<ChainFacts>): Partial<PostOrderDeps> => ({
  findOrderFacts: async () => ({ ...rich, ...facts }),
})

const { database, close } = await startTestDatabase()
beforeEach(() => emptyDatabase(database))
afterAll(close)

const failOn = (message: string) => connectDatabase('postgres://u:p@127.0.0.1/none', 1_000, () => expect.fail(message))

const quote: NewQuote = {
  chainId: network.chainId,
  sellToken: network.wrappedNative,
  buyToken: network.usdReference.address,
  sellAmount: 500_000_000_000_000_000n,
  buyAmount: 1_000_000_000n,
  kind: 'sell',
  quoteKind: 'standard',
  gasAmount: 1n,
  gasPrice: 1n,
  sellTokenPrice: 1,
  feeAmount: 1n,
  offeredSellAmount: 499_999_999_999_999_999n,
  offeredBuyAmount: 999_999_999n,
  solver: contractOwner,
  verified: true,
  metadata: {},
  expiresAt: new Date(now * 1_000),
}
/** Stores the quote 7. */
const storeQuote = (changes: Partial<NewQuote> & { id?: number } = {}) =>
  database
    .insert(quotes)
    .overridingSystemValue()
    .values({ id: 7, ...quote, ...changes })

const readOrders = () =>
  database
    .select({ ...getTableColumns(orders), fullAppData: appData.fullAppData })
    .from(orders)
    .leftJoin(appData, eq(appData.hash, orders.appDataHash))

/** Posts an order; `inserted` has the rows that are new or taken over. */
const post = async (body: unknown, changes: Partial<PostOrderDeps> = {}, headers: Record<string, string> = {}) => {
  let nowMs = now * 1_000
  const queries: OrderQuery[] = []
  const waiting: Promise<unknown>[] = []
  const before = new Map((await readOrders()).map(({ uid, version }) => [uid, version]))
  const app = postOrder({
    database,
    solverFeatures: [new Set(solverFeatures)],
    network,
    domainSeparator: computeDomainSeparator(network.chainId, network.settlementContract),
    bannedUsers: new Set(),
    unsupportedTokens: new Set(),
    bounds: { limitOrders: 10, openOrders: 1_000, unsignedOfClient: 50, unsignedOrders: 50_000 },
    computeSubmitter: (client) => `0x${Buffer.from(client).toString('hex')}`,
    maxGas: 8_000_000n,
    minValiditySeconds: 60,
    recoverPublicKey,
    now: () => {
      nowMs += 40
      return nowMs
    },
    findOrderFacts: async (query) => {
      queries.push(query)
      return rich
    },
    checkTokenFaults: async () => undefined,
    findTokens: async () => () => ({ decimals: 18, symbol: 'WETH' }),
    findPauses: async () => new Map(),
    wakeAuctions: async () => undefined,
    ...changes,
  })
  const response = await app.request(
    '/api/v1/orders',
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    {},
    { waitUntil: (work) => waiting.push(work), passThroughOnException: () => undefined, props: {} },
  )
  const inserted = (await readOrders()).filter(({ uid, version }) => before.get(uid) !== version)
  return { status: response.status, headers: response.headers, body: await response.json(), inserted, queries, waiting }
}

/** The amounts of `quote` as its response had them. */
const asOffered = { sellAmount: '499999999999999999', buyAmount: '999999999', feeAmount: '1' }

describe('an order that signs a fee', () => {
  const expired = new Date(now * 1_000 - 1)
  const expiration = new Date(now * 1_000).toISOString()
  test.each<[string, object, Partial<NewQuote> | null, object]>([
    ['names no quote', { quoteId: null }, {}, { reason: 'noQuote', field: 'feeAmount', expected: '0', got: '1' }],
    ['names an unknown quote', {}, null, { reason: 'unknownQuote', expected: '0', got: '1', quoteId: 7 }],
    [
      'names an expired quote',
      {},
      { expiresAt: expired },
      { reason: 'expiredQuote', expected: '0', got: '1', expiration: expired.toISOString() },
    ],
    [
      'signs another fee than its quote',
      {},
      { feeAmount: 2n },
      { reason: 'otherFee', field: 'feeAmount', expected: '2', got: '1', quoteId: 7, expiration },
    ],
    [
      'sells another amount than its quote',
      { sellAmount: '499999999999999998' },
      {},
      { reason: 'otherTerms', field: 'sellAmount', expected: '499999999999999999', got: '499999999999999998' },
    ],
    [
      'deducts slippage from the amount of its quote',
      { buyAmount: '999999998' },
      {},
      { reason: 'otherTerms', field: 'buyAmount', expected: '999999999', got: '999999998' },
    ],
    ['is of another kind', { kind: 'buy' }, {}, { field: 'kind', expected: 'sell', got: 'buy' }],
    ['buys another token', {}, { buyToken: contractOwner }, { field: 'buyToken', expected: contractOwner }],
    ['names a quote from before offered amounts were stored', {}, { offeredSellAmount: null }, { field: 'sellAmount' }],
  ])('is refused when it %s', async (_, changes, stored, data) => {
    if (stored) await storeQuote(stored)
    const { quoteId = 7, ...terms } = { quoteId: 7 as number | null, ...changes }
    const signed = await signOrderCreation({ validTo, ...asOffered, ...terms })
    const { status, body, inserted } = await post({ ...signed, quoteId })
    expect([status, inserted]).toEqual([400, []])
    expect(body).toMatchObject({ errorType: 'NonZeroFee', data })
    const description = expect.stringContaining(quoteId === null ? 'without quoteId' : 'quote 7')
    expect(body).toMatchObject({ description })
  })

  test('is refused when its owner holds the sell amount alone', async () => {
    await storeQuote()
    const signed = { ...(await signOrderCreation({ validTo, ...asOffered })), quoteId: 7 }
    const [available, required] = [499_999_999_999_999_999n, 500_000_000_000_000_000n]
    const data = { available: available.toString(), required: required.toString() }
    for (const [lacking, errorType] of [
      ['balance', 'InsufficientBalance'],
      ['allowance', 'InsufficientAllowance'],
    ] as const) {
      const { body } = await post(signed, withFacts({ funds: { ...fortune, [lacking]: available } }))
      expect(body).toMatchObject({ errorType, data })
    }
  })

  test('is the same order when it is posted again after its quote expired', async () => {
    await storeQuote()
    const signed = { ...(await signOrderCreation({ validTo, ...asOffered })), quoteId: 7 }
    expect((await post(signed)).status).toBe(201)
    await database.update(quotes).set({ expiresAt: expired })
    expect((await post(signed)).body).toMatchObject({ errorType: 'DuplicatedOrder' })
  })

  test.each([
    ['a sell order', { kind: 'sell' }, {}],
    ['a buy order', { kind: 'buy' }, {}],
    ['a partially fillable order', { partiallyFillable: true }, {}],
    ['a presign order', {}, presign],
    ['an order of a contract', {}, { signingScheme: 'eip1271', signature: '0x12' }],
  ] as const)('is stored as a market order with the quote that it signs unchanged: %s', async (_, terms, scheme) => {
    await storeQuote({ kind: 'sell', ...('kind' in terms ? { kind: terms.kind } : {}) })
    const signed = { ...(await signOrderCreation({ validTo, ...asOffered, ...terms })), ...scheme, quoteId: 7 }
    const { status, headers, inserted } = await post(signed)
    expect([status, headers.get('X-Quote-Ignored')]).toEqual([201, null])
    expect(inserted).toMatchObject([
      { class: 'market', quoteId: 7, feeAmount: 1n, sellAmount: 499_999_999_999_999_999n, buyAmount: 999_999_999n },
    ])
  })
})

test.each([
  ['network', 503, 'Paused', '30'],
  ['orders', 503, 'Paused', '30'],
  ['token', 400, 'TokenTemporarilySuspended', null],
])('POST orders refuses a new order while the operator pauses it: %s', async (what, refused, errorType, retryAfter) => {
  const signed = await signOrderCreation({ validTo })
  const subject = what === 'token' ? `token:${signed.buyToken.toLowerCase()}` : what
  const findPauses = async () => new Map([[subject as PauseSubject, 'exploit reported']])
  const { status, body, headers, inserted } = await post(signed, { findPauses })
  expect([status, headers.get('Retry-After'), inserted]).toEqual([refused, retryAfter, []])
  expect(body).toMatchObject({ errorType, data: { reason: 'exploit reported' } })
  const others = async () =>
    new Map<PauseSubject, string>([
      ['quotes', ''],
      [`token:${`0x${'99'.repeat(20)}` as const}`, ''],
    ])
  expect((await post(signed, { findPauses: others })).status).toBe(201)
})

test('POST orders refuses an order that is signed for the staging contracts of the public system', async () => {
  const stagingSettlement = '0xf553d092b50bdcbddeD1A99aF2cA29FBE5E2CB13'
  const { status, body, inserted } = await post(await signOrderCreation({ validTo }, 'eip712', stagingSettlement))
  expect([status, inserted]).toEqual([400, []])
  expect(body).toMatchObject({ errorType: 'InvalidSignature', data: { expected: owner } })
})

describe('POST orders stores', () => {
  test('an EIP-712 order and returns its UID', async () => {
    const creation = await signOrderCreation({ validTo })
    const { status, body, inserted, queries } = await post(creation)
    expect(status).toBe(201)
    expect(body).toMatch(new RegExp(`^0x[0-9a-f]{64}${owner.slice(2)}${validTo.toString(16)}$`))
    expect(inserted).toMatchObject([
      {
        chainId: network.chainId,
        uid: body,
        owner,
        receiver: owner,
        sellAmount: 500_000_000_000_000_000n,
        class: 'limit',
        quoteId: null,
        signature: creation.signature,
        appDataHash: creation.appDataHash,
        fullAppData: '{}',
        fullBalanceCheck: false,
        availableBalance: 500_000_000_000_000_000n,
        validFrom: null,
        partnerFees: [],
        referrerCode: null,
        submittedBy: null,
      },
    ])
    expect(queries).toEqual([
      {
        uid: body,
        digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        owner,
        sellToken: network.wrappedNative,
        preInteractions: [],
        contractSignature: undefined,
        transfers: [500_000_000_000_000_000n],
        payout: { buyToken: creation.buyToken, beneficiary: owner, amount: BigInt(creation.buyAmount) },
        maxGas: 8_000_000n,
      },
    ])
  })

  test('an ethsign order', async () => {
    const { status, inserted } = await post(await signOrderCreation({ validTo }, 'ethsign'))
    expect([status, inserted[0]?.owner]).toEqual([201, owner])
  })

  test('one order whatever the case of its addresses, with or without fields that have a default', async () => {
    const creation = await signOrderCreation({ validTo })
    const { body: uid } = await post(creation)
    const { from: _from, partiallyFillable: _p, sellTokenBalance: _s, buyTokenBalance: _b, ...terms } = creation
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
    const { body } = await post({ ...terms, sellToken: upper(creation.sellToken), receiver: upper(owner), extra: 1 })
    expect(body).toMatchObject({ errorType: 'DuplicatedOrder', data: { uid, status: 'open' } })
  })

  test('v as 0 or 1 in the form that the settlement contract takes', async () => {
    const creation = await signOrderCreation({ validTo })
    const v = Number.parseInt(creation.signature.slice(-2), 16)
    const { inserted } = await post({ ...creation, signature: `${creation.signature.slice(0, -2)}0${v - 27}` })
    expect(inserted[0]?.signature).toBe(creation.signature)
  })

  test.each(['0x', owner])('a presign order with signature %s, without a request to the chain', async (signature) => {
    const creation = await signOrderCreation({ validTo: 0xffffffff })
    const { status, inserted, queries } = await post({ ...creation, ...presign, signature })
    expect(status).toBe(201)
    expect(inserted).toMatchObject([{ owner, ...presign }])
    expect(queries).toEqual([])
  })

  test("an EIP-1271 order of a contract, which is called with the order's digest", async () => {
    const creation = await signOrderCreation({ validTo })
    const signed = { ...creation, from: contractOwner, signingScheme: 'eip1271', signature: '0x1234' }
    const { status, body, queries } = await post(signed)
    expect(status).toBe(201)
    expect(queries).toMatchObject([
      { owner: contractOwner, digest: String(body).slice(0, 66), contractSignature: '0x1234' },
    ])
  })

  test('a missing receiver as the owner', async () => {
    const zero = `0x${'0'.repeat(40)}`
    const creation = await signOrderCreation({ validTo, receiver: zero })
    const { body: uid, inserted } = await post(creation)
    expect(inserted[0]?.receiver).toBeNull()
    expect((await post({ ...creation, receiver: null })).body).toMatchObject({ data: { uid } })
  })

  test('a partially fillable order of an owner who holds any part of it', async () => {
    const creation = await signOrderCreation({ validTo, partiallyFillable: true })
    expect((await post(creation, withFacts({ funds: { balance: 1n, allowance: 1n } }))).status).toBe(201)
  })

  test('a market order with the quote that it matches, although limit amount and app data differ', async () => {
    await storeQuote()
    const creation = { ...(await signOrderCreation({ validTo, buyAmount: '990000000' })), quoteId: 7 }
    expect((await post(creation)).inserted).toMatchObject([{ class: 'market', quoteId: 7 }])
  })

  test('an order with unknown fields, and names them in a header', async () => {
    const creation = { ...(await signOrderCreation({ validTo })), partnerFeeBps: 5, 'quote id': 7 }
    const { status, headers } = await post(creation)
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([201, 'partnerFeeBps, quote_id'])
  })

  test.each<[string, (Partial<NewQuote> & { id?: number }) | null, string | null]>([
    ['counts for the order', {}, null],
    ['is not stored', null, 'unknown'],
    ['has expired', { expiresAt: new Date(now * 1_000 - 1) }, 'expired'],
    ['is for another amount', { sellAmount: 1n }, 'mismatch'],
    ['is not stored while another one counts', { id: 8 }, 'unknown'],
  ])('an order whose quote %s, and says so in a header of the 201', async (_, stored, ignored) => {
    if (stored) await storeQuote(stored)
    const creation = { ...(await signOrderCreation({ validTo })), quoteId: 7 }
    const { status, headers, body, inserted } = await post(creation)
    expect([status, headers.get('X-Quote-Ignored')]).toEqual([201, ignored])
    expect(body).toBe(inserted[0]?.uid)
    const withoutQuote = await post({ ...(await signOrderCreation({ validTo: validTo + 1 })) })
    expect([withoutQuote.status, withoutQuote.headers.get('X-Quote-Ignored')]).toEqual([201, null])
  })

  test('a second order with a quote as one outside the market, and says so in a header of the 201', async () => {
    await storeQuote()
    const sign = async (end: number) => ({
      ...(await signOrderCreation({ validTo: end, buyAmount: '990000000' })),
      quoteId: 7,
    })
    const [first, second] = [await post(await sign(validTo)), await post(await sign(validTo + 1))]
    expect([first, second].map(({ status, headers }) => [status, headers.get('X-Quote-Ignored')])).toEqual([
      [201, null],
      [201, 'used'],
    ])
    expect((await post(await sign(validTo))).status).toBe(400)
  })

  test('an order and wakes the auction clock; a clock that does not respond changes nothing', async () => {
    let calls = 0
    const wakeAuctions = async () => {
      calls += 1
      throw new Error('asleep')
    }
    const { status, waiting } = await post(await signOrderCreation({ validTo }), { wakeAuctions })
    await expect(Promise.all(waiting)).resolves.toBeDefined()
    expect([status, calls]).toEqual([201, 1])
  })
})

const hook = { target: contractOwner, callData: '0x12', gasLimit: '100000' }
const oldUid = `0x${'ab'.repeat(56)}` as const
/** An order with metadata in its document. */
const signWith = (metadata: unknown) => signOrderCreation({ validTo, appData: JSON.stringify({ metadata }) })
/** The same order with its document stored and named by its hash. */
const byHash = async <Creation extends { appData: string; appDataHash: string }>(creation: Creation) => {
  const { appData: document, appDataHash, ...terms } = creation
  await insertAppData(database, keccak256(toBytes(document)), document)
  return { ...terms, appData: appDataHash }
}

describe('the document of an order', () => {
  test.each(['eip712', 'presign', 'eip1271'])('names the owner of an %s order without from', async (signingScheme) => {
    const signer = signingScheme === 'eip712' ? owner : contractOwner
    const signed = { ...(await signWith({ signer })), from: undefined }
    const body = signingScheme === 'eip712' ? signed : { ...signed, signature: '0x', signingScheme }
    expect((await post(body)).inserted[0]?.owner).toBe(signer)
  })

  test('names the owner of an order with from, too', async () => {
    expect((await post(await signWith({ signer: owner }))).inserted[0]?.owner).toBe(owner)
  })

  test('states partner fees, validFrom and the affiliate code in any case, which are stored with the order', async () => {
    const partnerFee = [
      { recipient: contractOwner, volumeBps: 20 },
      { recipient: contractOwner, surplusBps: 5000, maxVolumeBps: 50 },
    ]
    const metadata = { partnerFee, validFrom: validTo - 60, referrer: { code: 'friends' } }
    expect((await post(await signWith(metadata))).inserted).toMatchObject([
      {
        partnerFees: [
          { recipient: contractOwner, kind: 'volume', bps: 20, maxVolumeBps: null },
          { recipient: contractOwner, kind: 'surplus', bps: 5000, maxVolumeBps: 50 },
        ],
        validFrom: validTo - 60,
        referrerCode: 'FRIENDS',
      },
    ])
  })

  test('counts when only its hash comes', async () => {
    const creation = await signWith({ validFrom: now + 60, signer: owner })
    expect((await post(await byHash(creation))).inserted).toMatchObject([
      { validFrom: now + 60, appDataHash: creation.appDataHash, fullAppData: creation.appData },
    ])
  })

  const poor = withFacts({ funds: { balance: undefined, allowance: 0n } })
  test('names a wrapper that may supply the funds of the owner', async () => {
    expect((await post(await signWith({ wrappers: [{ address: contractOwner, data: '0x' }] }), poor)).status).toBe(201)
  })

  describe('with a flash loan', () => {
    const unfunded = withFacts({ funds: { ...fortune, balance: 1n } })
    const sellAmount = 500_000_000_000_000_000n
    const loan = {
      liquidityProvider: contractOwner,
      protocolAdapter: contractOwner,
      receiver: owner,
      token: network.wrappedNative,
      amount: `${sellAmount - 1n}`,
    }

    test('adds exactly its amount to the balance of its receiver', async () => {
      expect((await post(await signWith({ flashloan: loan }), unfunded)).status).toBe(201)
      const { status, body } = await post(
        await signWith({ flashloan: { ...loan, amount: `${sellAmount - 2n}` } }),
        unfunded,
      )
      expect([status, body]).toMatchObject([
        400,
        { errorType: 'InsufficientBalance', data: { available: `${sellAmount - 1n}`, required: `${sellAmount}` } },
      ])
    })

    test.each([
      ['of another token', { token: contractOwner }],
      ['to another receiver', { receiver: contractOwner }],
    ])('%s adds nothing', async (_, changes) => {
      const { status, body } = await post(await signWith({ flashloan: { ...loan, ...changes } }), unfunded)
      expect([status, body]).toMatchObject([400, { errorType: 'InsufficientBalance' }])
    })

    test('may pay the settlement contract, also when its document comes as its hash, and an order without a loan may not', async () => {
      const receiver = network.settlementContract
      const sign = (metadata: unknown) =>
        signOrderCreation({ validTo, receiver, appData: JSON.stringify({ metadata }) })
      const lent = await sign({ flashloan: loan })
      expect((await post(lent)).status).toBe(201)
      const hooked = await byHash(await sign({ hooks: { post: [hook] } }))
      expect((await post(hooked)).body).toMatchObject({ errorType: 'InvalidParameter', data: { field: 'receiver' } })
    })

    test('does not replace a missing allowance', async () => {
      const unapproved = withFacts({ funds: { ...fortune, allowance: 0n } })
      const { body } = await post(await signWith({ flashloan: loan }), unapproved)
      expect(body).toMatchObject({ errorType: 'InsufficientAllowance' })
    })
  })

  const hooks = { pre: [hook], post: [{ ...hook, callData: '0x34' }] }

  test.each(['pre', 'post'] as const)('with %s-hooks that supply no funds is refused', async (phase) => {
    expect((await post(await signWith({ hooks: { [phase]: [hook] } }), poor)).status).toBe(400)
  })

  test('with pre-hooks is accepted when the node could not run them', async () => {
    const unrun = withFacts({ funds: { ...fortune, balance: 0n }, hooksRan: false })
    expect((await post(await signWith({ hooks }), unrun)).status).toBe(201)
  })

  test.each(['as it is', 'as its hash'])('with hooks, sent %s, has one trampoline call per phase', async (form) => {
    const creation = await signWith({ hooks })
    const { queries, inserted } = await post(form === 'as it is' ? creation : await byHash(creation))
    const [order] = inserted
    const found = [order?.preInteractions, order?.postInteractions].map((calls = []) => {
      expect(calls).toMatchObject([{ target: network.hooksTrampoline, value: '0' }])
      return readHooks(calls)
    })
    const gasLimit = 100_000n
    expect(found).toEqual([[{ ...hook, gasLimit }], [{ ...hook, gasLimit, callData: '0x34' }]])
    expect(queries[0]?.preInteractions).toEqual(order?.preInteractions)
  })
})

test('a limit order that requires more than its quote offers still has the quote', async () => {
  await storeQuote()
  const { inserted } = await post(await signOrderCreation({ validTo, buyAmount: '1000000001' }))
  expect(inserted).toMatchObject([{ class: 'limit', quoteId: 7 }])
})

test('the gas of the quote is limited', async () => {
  await storeQuote({ gasAmount: 8_000_001n })
  const creation = await signOrderCreation({ validTo })
  const { body, inserted } = await post(creation)
  expect([body, inserted]).toMatchObject([
    { errorType: 'TooMuchGas', data: { gas: '8000001', hookGas: '0', quotedGas: '8000001', max: '8000000' } },
    [],
  ])
  expect((await post(creation, { maxGas: 8_000_001n })).status).toBe(201)
})

describe('an order with the UID of an existing row', () => {
  const creation = () => signOrderCreation({ validTo })
  /** Stores the order as an unsigned row. */
  const storeUnsigned = async (changes: Partial<typeof orders.$inferInsert> = {}, from?: Address) => {
    const { status, body } = await post({ ...(await creation()), ...presign, ...(from ? { from } : {}) })
    expect(status).toBe(201)
    await database.update(orders).set({ validFrom: null, ...changes })
    return body
  }

  test.each(['eip712', 'ethsign'] as const)('takes over an unsigned row when it is signed by %s', async (scheme) => {
    await storeUnsigned()
    const { status, inserted } = await post(await signOrderCreation({ validTo }, scheme))
    expect([status, inserted[0]?.signingScheme, inserted[0]?.submittedBy]).toEqual([201, scheme, null])
  })

  test('takes over an unsigned row when the owner contract accepts its signature', async () => {
    await storeUnsigned({}, contractOwner)
    const body = { ...(await creation()), from: contractOwner, signingScheme: 'eip1271', signature: '0x12' }
    expect((await post(body)).inserted).toMatchObject([{ signingScheme: 'eip1271' }])
  })

  test.each([{}, presign])('takes over a row whose placement a reorganisation undid: %o', async (scheme) => {
    await storeUnsigned({ signingScheme: 'eip1271', placementError: 'reorged' })
    expect((await post({ ...(await creation()), ...scheme })).status).toBe(201)
  })

  const untouchable: [string, Partial<typeof orders.$inferInsert>, object][] = [
    ['that its owner cancelled', { cancelledAt: new Date(0) }, {}],
    ['that is signed', { signingScheme: 'eip712' }, {}],
    ['that is unsigned, when it is unsigned itself', {}, presign],
  ]
  test.each(untouchable)('is a duplicate of a row %s', async (_name, changes, scheme) => {
    const uid = await storeUnsigned(changes)
    const { status, body, inserted } = await post({ ...(await creation()), ...scheme })
    expect([status, inserted]).toEqual([400, []])
    const data = { uid, status: expect.any(String), creationDate: expect.any(String) }
    expect(body).toMatchObject({ errorType: 'DuplicatedOrder', data })
  })

  test.each(['presigned', 'invalidated'] as const)(
    'is a duplicate of a row that its owner %s on-chain',
    async (column) => {
      const orderUid = (await storeUnsigned()) as Hex
      const event = { chainId: network.chainId, blockNumber: 7, logIndex: 0, owner, orderUid }
      if (column === 'presigned') await database.insert(presignatures).values({ ...event, signed: true })
      else await database.insert(invalidations).values({ ...event, transactionHash: hashOf(1) })
      await recomputeOrders(database, network.chainId, 7, [])
      const { body } = await post(await creation())
      expect(body).toMatchObject({ errorType: 'DuplicatedOrder', data: { uid: orderUid } })
    },
  )

  describe('is a duplicate before', () => {
    const unsupported = new ApiError('UnsupportedToken', { data: { field: 'buyToken', reason: 'losesInTransfer' } })
    test.each<[string, Partial<PostOrderDeps>]>([
      ['missing funds', withFacts({ funds: { ...fortune, balance: 0n } })],
      ['a token that loses amounts', { checkTokenFaults: () => Promise.reject(unsupported) }],
      ['hooks with too much gas', { maxGas: 0n }],
    ])('%s', async (_, deps) => {
      const signed = await signWith({ hooks: { pre: [hook] } })
      const body = deps.maxGas === undefined ? signed : { ...signed, ...presign }
      const { body: uid } = await post(body)
      expect((await post(body, deps)).body).toMatchObject({ errorType: 'DuplicatedOrder', data: { uid } })
    })
  })
})

test('hooks with too much gas are refused with the gas of the quote', async () => {
  await storeQuote({ gasAmount: 5n })
  const creation = { ...(await signWith({ hooks: { pre: [hook] } })), ...presign }
  const { body, inserted } = await post(creation, { maxGas: 0n })
  expect(body).toMatchObject({ errorType: 'TooMuchGas', data: { quotedGas: '5', max: '0' } })
  expect(inserted).toEqual([])
})

test('an unsigned order is counted for the client that the gateway names', async () => {
  const body = { ...(await signOrderCreation({ validTo })), ...presign }
  const computeSubmitter = (client: string) => `0x${Buffer.from(`client ${client}`).toString('hex')}` as const
  const { inserted } = await post(body, { computeSubmitter }, { 'X-Client-Key': 'abc' })
  expect(inserted).toMatchObject([{ submittedBy: computeSubmitter('abc') }])
  const unnamed = { ...(await signOrderCreation({ validTo: validTo + 1 })), ...presign }
  expect((await post(unnamed, { computeSubmitter })).inserted).toMatchObject([{ submittedBy: computeSubmitter('') }])
})

describe('a banned account', () => {
  const bannedUsers = new Set([contractOwner])
  const partnerFee = [
    { recipient: owner, volumeBps: 1 },
    { recipient: contractOwner, volumeBps: 1 },
  ]

  test('that earns a partner fee → 403, whether the document or its hash comes', async () => {
    const refused = {
      status: 403,
      inserted: [],
      body: { errorType: 'Forbidden', data: { field: 'metadata.partnerFee.1.recipient', account: contractOwner } },
    }
    const creation = await signWith({ partnerFee })
    expect(await post(creation, { bannedUsers })).toMatchObject(refused)
    expect(await post(await byHash(creation), { bannedUsers })).toMatchObject(refused)
  })

  test('that a hook calls is accepted: the recipients of a hook are unknown', async () => {
    expect((await post(await signWith({ hooks: { pre: [hook] } }), { bannedUsers })).status).toBe(201)
  })
})

describe('app data', () => {
  test('the terms of signable are placed with the document beside its hash', async () => {
    const { appData: document, appDataHash, ...terms } = await signWith({ referrer: { code: 'FRIEND' } })
    expect(await post({ ...terms, appData: appDataHash })).toMatchObject({
      status: 400,
      body: { errorType: 'InvalidAppData', description: expect.stringMatching(/fullAppData.*PUT app_data/) },
    })
    const placed = await post({ ...terms, appData: appDataHash, fullAppData: document })
    expect([placed.status, placed.inserted[0]?.fullAppData]).toEqual([201, document])
    expect(await post({ ...terms, appData: appDataHash, fullAppData: `${document} ` })).toMatchObject({
      status: 400,
      body: { errorType: 'AppDataHashMismatch' },
    })
  })

  test('a returned order without a document can be posted as it is', async () => {
    const zeroHash = `0x${'0'.repeat(64)}`
    const { appData: _, appDataHash: __, ...terms } = await signOrderCreation({ validTo })
    const returned = { ...terms, appData: '{}', appDataHash: zeroHash, fullAppData: '{}', signingScheme: 'presign' }
    const { status, inserted } = await post({ ...returned, from: contractOwner, signature: '0x' })
    expect(status).toBe(201)
    expect(inserted).toMatchObject([{ appDataHash: zeroHash, fullAppData: '{}' }])
  })

  test('is stored with the order when a document comes alone', async () => {
    const { appDataHash, ...terms } = await signOrderCreation({ validTo, appData: '{"metadata":{},"a":"ü"}' })
    const { inserted } = await post(terms)
    expect(inserted[0]).toMatchObject({ appDataHash, fullAppData: '{"metadata":{},"a":"ü"}' })
  })

  test('is the empty document when the zero hash comes', async () => {
    const { appDataHash: _, ...terms } = await signOrderCreation({ validTo })
    const zeroHash = `0x${'0'.repeat(64)}`
    const { inserted } = await post({ ...terms, ...presign, appData: zeroHash })
    expect(inserted[0]).toMatchObject({ appDataHash: zeroHash, fullAppData: '{}' })
  })
})

describe('POST orders refuses, and stores nothing:', () => {
  type Case = {
    name: string
    /** signed with the order */
    terms?: Parameters<typeof signOrderCreation>[0]
    /** changed after signing */
    changes?: Record<string, unknown>
    deps?: Partial<PostOrderDeps>
    /** a document that is stored and comes as its hash */
    storedDocument?: string
    status?: number
    errorType: string
    data?: unknown
  }
  const half = '500000000000000000'

  const cases: Case[] = [
    {
      name: 'no sell token',
      changes: { sellToken: undefined },
      errorType: 'InvalidParameter',
      data: { field: 'sellToken' },
    },
    {
      name: 'a bad address',
      changes: { buyToken: '0x12' },
      errorType: 'InvalidParameter',
      data: { field: 'buyToken' },
    },
    { name: 'a negative amount', changes: { sellAmount: '-1' }, errorType: 'InvalidParameter' },
    { name: 'no fee', changes: { feeAmount: undefined }, errorType: 'InvalidParameter', data: { field: 'feeAmount' } },
    { name: 'an unknown kind', changes: { kind: 'swap' }, errorType: 'InvalidParameter', data: { field: 'kind' } },
    { name: 'an unknown scheme', changes: { signingScheme: 'none' }, errorType: 'InvalidParameter' },
    { name: 'validTo over uint32', changes: { validTo: 2 ** 32 }, errorType: 'InvalidParameter' },
    { name: 'a signature that is not hex', changes: { signature: 'abc' }, errorType: 'InvalidParameter' },
    { name: 'a quote id that is no integer', changes: { quoteId: 1.5 }, errorType: 'InvalidParameter' },
    { name: 'a malformed app data hash', changes: { appDataHash: '0x1' }, errorType: 'InvalidParameter' },
    { name: 'a huge sell amount', changes: { sellAmount: `${2n ** 256n}` }, errorType: 'SellAmountOverflow' },
    { name: 'a huge buy amount', changes: { buyAmount: '9'.repeat(90) }, errorType: 'BuyAmountOverflow' },
    { name: 'app data that is no JSON', changes: { appData: '{', appDataHash: null }, errorType: 'InvalidAppData' },
    { name: 'app data that is a list', changes: { appData: '[]', appDataHash: null }, errorType: 'InvalidAppData' },
    {
      name: 'metadata that is a text',
      changes: { appData: '{"metadata":"x"}', appDataHash: null },
      errorType: 'InvalidAppData',
      data: { field: 'metadata' },
    },
    {
      name: 'app data of 8193 bytes',
      changes: { appData: `{"a":"${'ü'.repeat(4092)}x"}`, appDataHash: null },
      errorType: 'InvalidAppData',
      data: { bytes: 8193, maxBytes: 8192 },
    },
    { name: 'another hash', changes: { appDataHash: unknownHash }, errorType: 'AppDataHashMismatch' },
    {
      name: 'the hash of no document',
      changes: { appData: unknownHash, appDataHash: undefined, ...presign },
      errorType: 'InvalidAppData',
      data: { appDataHash: unknownHash },
    },
    { name: 'selling nothing', changes: { sellAmount: '0' }, errorType: 'ZeroAmount', data: { field: 'sellAmount' } },
    { name: 'buying nothing', changes: { buyAmount: '0' }, errorType: 'ZeroAmount', data: { field: 'buyAmount' } },
    { name: 'a signed fee', changes: { feeAmount: '1' }, errorType: 'NonZeroFee' },
    { name: 'vault buys', changes: { buyTokenBalance: 'internal' }, errorType: 'UnsupportedBuyTokenDestination' },
    { name: 'vault sells', changes: { sellTokenBalance: 'external' }, errorType: 'UnsupportedSellTokenSource' },
    { name: 'a past validTo', changes: { validTo: now - 1 }, errorType: 'OrderExpired' },
    { name: 'too little time', changes: { validTo: now + 59 }, errorType: 'InsufficientValidTo' },
    { name: 'too much time', changes: { validTo: now + 31_536_001 }, errorType: 'ExcessiveValidTo' },
    { name: 'one token', changes: { buyToken: network.wrappedNative }, errorType: 'SameBuyAndSellToken' },
    { name: 'unwrapping', changes: { buyToken: nativeSentinel }, errorType: 'SameBuyAndSellToken' },
    ...[
      network.settlementContract,
      network.vaultRelayer,
      network.wrappedNative,
      network.usdReference.address,
      nativeSentinel,
    ].map((receiver) => ({
      name: `a receiver that cannot return tokens: ${receiver}`,
      terms: { validTo, receiver },
      errorType: 'InvalidParameter',
      data: { field: 'receiver', got: receiver },
    })),
    {
      name: 'the wrapped native token as the receiver of the native one',
      terms: {
        ...{ validTo, sellToken: network.usdReference.address, buyToken: nativeSentinel },
        receiver: network.wrappedNative,
      },
      errorType: 'InvalidParameter',
      data: { field: 'receiver' },
    },
    { name: 'selling the native token', changes: { sellToken: nativeSentinel }, errorType: 'InvalidNativeSellToken' },
    {
      name: 'presign without from',
      changes: { from: undefined, ...presign },
      errorType: 'MissingFrom',
    },
    { name: 'eip1271 without from', changes: { from: null, signingScheme: 'eip1271' }, errorType: 'MissingFrom' },
    { name: 'presign with a signature', changes: { signingScheme: 'presign' }, errorType: 'InvalidSignature' },
    { name: 'a short signature', changes: { signature: '0x11' }, errorType: 'InvalidSignature' },
    {
      name: 'a signature without a signer',
      changes: { signature: `0x${'0'.repeat(128)}1b` },
      errorType: 'InvalidSignature',
      data: { failure: 'outOfRange', expected: owner },
    },
    {
      name: 'another signer',
      changes: { from: contractOwner },
      errorType: 'InvalidSignature',
      data: { signer: owner, expected: contractOwner },
    },
    { name: 'the wrong scheme', changes: { signingScheme: 'ethsign' }, errorType: 'InvalidSignature' },
    { name: 'an order changed after signing', changes: { buyAmount: '1' }, errorType: 'InvalidSignature' },
    {
      name: 'a banned owner',
      deps: { bannedUsers: new Set([owner]) },
      status: 403,
      errorType: 'Forbidden',
      data: { account: owner },
    },
    {
      name: 'a banned receiver',
      terms: { validTo, receiver: contractOwner },
      deps: { bannedUsers: new Set([contractOwner]) },
      status: 403,
      errorType: 'Forbidden',
      data: { account: contractOwner },
    },
    {
      name: 'a contract that rejects the signature',
      changes: { signingScheme: 'eip1271' },
      deps: withFacts({ isSigned: false, funds: { ...fortune, balance: 0n } }),
      errorType: 'InvalidEip1271Signature',
    },
    {
      name: 'a payout that fails',
      deps: withFacts({ payout: { paid: false, revert: 'no ether' } }),
      errorType: 'TransferSimulationFailed',
      data: { receiver: owner, revert: 'no ether' },
    },
    {
      name: 'a required wrapper that no solver supports',
      terms: {
        validTo,
        appData: '{"metadata":{"wrappers":[{"address":"0x5000000000000000000000000000000000000005","data":"0x"}]}}',
      },
      deps: { solverFeatures: [new Set(['signedFees', 'flashloans'] as const), new Set<never>()] },
      errorType: 'InvalidAppData',
      data: { required: ['wrappers'] },
    },
    {
      name: 'too little balance',
      deps: withFacts({ funds: { balance: 499_999_999_999_999_999n, allowance: 0n } }),
      errorType: 'InsufficientBalance',
      data: { available: '499999999999999999', required: half },
    },
    {
      name: 'too little allowance',
      deps: withFacts({ funds: { ...fortune, allowance: 0n } }),
      errorType: 'InsufficientAllowance',
      data: { available: '0', required: half },
    },
    {
      name: 'a token that loses amounts in a transfer',
      deps: {
        checkTokenFaults: () =>
          Promise.reject(new ApiError('UnsupportedToken', { data: { field: 'buyToken', reason: 'losesInTransfer' } })),
      },
      errorType: 'UnsupportedToken',
      data: { field: 'buyToken', reason: 'losesInTransfer' },
    },
    {
      name: 'a transfer that fails',
      deps: withFacts({ transfers: [{ amount: 5n, moved: false, received: 0n, revert: 'paused' }] }),
      errorType: 'TransferSimulationFailed',
      data: { sellToken: network.wrappedNative, amount: '5', revert: 'paused' },
    },
    {
      name: 'a transfer that loses amounts',
      deps: withFacts({ transfers: [{ amount: 100n, moved: true, received: 99n, revert: undefined }] }),
      errorType: 'UnsupportedToken',
      data: { token: network.wrappedNative, reason: 'losesInTransfer', sent: '100', received: '99' },
    },
    {
      name: 'an order that the owner invalidated on-chain',
      deps: withFacts({ filledAmount: 2n ** 256n - 1n }),
      errorType: 'AlreadyCancelled',
    },
    {
      name: 'a part of nothing',
      terms: { validTo, partiallyFillable: true },
      deps: withFacts({ funds: { ...fortune, balance: 0n } }),
      errorType: 'InsufficientBalance',
      data: { available: '0', required: '1' },
    },
    {
      name: 'a part when the whole is required',
      terms: { validTo, partiallyFillable: true },
      changes: { fullBalanceCheck: true },
      deps: withFacts({ funds: { ...fortune, balance: 1n } }),
      errorType: 'InsufficientBalance',
      data: { required: half },
    },
    {
      name: 'a sell token that is not a token',
      deps: withFacts({ funds: { ...fortune, balance: undefined } }),
      errorType: 'TransferSimulationFailed',
      data: { sellToken: network.wrappedNative },
    },
    {
      name: 'a token that is not traded',
      deps: { unsupportedTokens: new Set([network.usdReference.address]) },
      errorType: 'UnsupportedToken',
      data: { field: 'buyToken', token: network.usdReference.address },
    },
    {
      name: 'app data with a wrong type',
      terms: { validTo, appData: '{"metadata":{"validFrom":"1"}}' },
      errorType: 'InvalidAppData',
      data: { field: 'metadata.validFrom', got: '1' },
    },
    {
      name: 'a fast path',
      terms: { validTo, appData: '{"metadata":{"enableFastPath":true}}' },
      errorType: 'InvalidAppData',
      data: { field: 'metadata.enableFastPath', got: true },
    },
    {
      name: 'from that is not the signer of the document',
      terms: { validTo, appData: `{"metadata":{"signer":"${contractOwner}"}}` },
      errorType: 'AppdataFromMismatch',
      data: { from: owner, signer: contractOwner },
    },
    {
      name: 'a signer that did not sign',
      terms: { validTo, appData: `{"metadata":{"signer":"${contractOwner}"}}` },
      changes: { from: undefined },
      errorType: 'InvalidSignature',
      data: { signer: owner, expected: contractOwner },
    },
    {
      name: 'from that is not the signer of a stored document',
      storedDocument: `{"metadata":{"signer":"${contractOwner}"}}`,
      errorType: 'AppdataFromMismatch',
      data: { from: owner, signer: contractOwner },
    },
    {
      name: 'a signer of a stored document that did not sign',
      storedDocument: `{"metadata":{"signer":"${contractOwner}"}}`,
      changes: { from: undefined },
      errorType: 'InvalidSignature',
      data: { signer: owner, expected: contractOwner },
    },
    {
      name: 'less than a minute after validFrom',
      terms: { validTo, appData: `{"metadata":{"validFrom":${validTo - 59}}}` },
      errorType: 'InvalidValidFrom',
      data: { validFrom: validTo - 59, validTo, earliest: validTo + 1 },
    },
    {
      name: 'less than a minute after validFrom of a stored document',
      storedDocument: `{"metadata":{"validFrom":${validTo - 59}}}`,
      errorType: 'InvalidValidFrom',
    },
    {
      name: 'hooks with too much gas',
      terms: {
        validTo,
        appData: JSON.stringify({
          metadata: { hooks: { pre: [hook], post: [{ ...hook, gasLimit: '7800000' }] } },
        }),
      },
      deps: { maxGas: 7_926_039n },
      errorType: 'TooMuchGas',
      data: { gas: '7926040', hookGas: '7926040', quotedGas: '0', max: '7926039' },
    },
    {
      name: 'a replacement that is signed on-chain',
      changes: presign,
      terms: { validTo, appData: JSON.stringify({ metadata: { replacedOrder: { uid: oldUid } } }) },
      errorType: 'InvalidSignature',
      data: { signingScheme: 'presign', replacedOrder: oldUid },
    },
    {
      name: 'a dead node',
      deps: { findOrderFacts: () => Promise.reject(new ApiError('ServiceUnavailable')) },
      status: 503,
      errorType: 'ServiceUnavailable',
    },
  ]
  test.each(cases)('$name → $errorType', async (row) => {
    const { changes, deps, storedDocument, status = 400, errorType, data } = row
    const { terms = { validTo, ...(storedDocument ? { appData: storedDocument } : {}) } } = row
    const signed = await signOrderCreation(terms)
    const creation = storedDocument ? await byHash(signed) : signed
    const result = await post({ ...creation, ...changes }, deps)
    expect(result.status).toBe(status)
    expect(result.body).toMatchObject({ errorType, description: expect.any(String), ...(data ? { data } : {}) })
    expect(result.inserted).toEqual([])
    expect(result.waiting).toEqual([])
  })

  test('one order over a limit → TooManyLimitOrders', async () => {
    const bounds = { limitOrders: 10, openOrders: 0, unsignedOfClient: 50, unsignedOrders: 50_000 }
    const { body, inserted } = await post(await signOrderCreation({ validTo }), { bounds })
    const data = { field: 'openOrders', limit: 0, open: 0 }
    expect([body, inserted]).toMatchObject([{ errorType: 'TooManyLimitOrders', data }, []])
  })

  test('a statement that fails → InternalServerError, without its message', async () => {
    const failing = connectDatabase('postgres://u:p@127.0.0.1/none', 1_000, async () =>
      Response.json({ message: 'password=x' }, { status: 400 }),
    )
    const { status, body } = await post(await signOrderCreation({ validTo }), { database: failing })
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('password')])
    expect(body).toMatchObject({ errorType: 'InternalServerError' })
  })

  test.each([['{'], ['null'], ['[]'], ['"x"'], ['']])('the body %s → InvalidParameter', async (text) => {
    const { status, body, inserted } = await post(text)
    expect([status, inserted]).toEqual([400, []])
    expect(body).toMatchObject({ errorType: 'InvalidParameter' })
  })
})

test('an error about missing funds states them in token units, and in atoms for an unknown token', async () => {
  const creation = await signOrderCreation({ validTo })
  const unapproved = withFacts({ funds: { ...fortune, allowance: 0n } })
  const named = await post(creation, unapproved)
  expect(named.body).toMatchObject({ description: "the vault relayer's allowance is 0 of 0.5 WETH" })
  const part = await post(await signOrderCreation({ validTo, partiallyFillable: true }), unapproved)
  expect(part.body).toMatchObject({ description: "the vault relayer's allowance of WETH is 0" })
  const unnamed = await post(creation, { ...unapproved, findTokens: () => Promise.reject(new Error('away')) })
  expect(unnamed.body).toMatchObject({
    errorType: 'InsufficientAllowance',
    description: `the vault relayer's allowance is 0 of 500000000000000000 atoms of ${network.wrappedNative}`,
    data: { available: '0', required: '500000000000000000', token: network.wrappedNative },
  })
})

test('cheap checks come first: a rejected order takes no round trip', async () => {
  const never = () => expect.fail('a round trip')
  const creation = await signOrderCreation({ validTo })
  const { body } = await post(
    { ...creation, from: contractOwner },
    { findOrderFacts: never, checkTokenFaults: never, database: failOn('a statement') },
  )
  expect(body).toMatchObject({ errorType: 'InvalidSignature' })
})

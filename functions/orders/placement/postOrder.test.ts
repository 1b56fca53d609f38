import { type Address, keccak256, toBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import type { InsertOutcome, NewOrder } from '#schema/queries/orders/orders.ts'
import type { PlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import type { Pricing } from '#schema/queries/orders/pricing.ts'
import type { Replacement } from '#schema/queries/orders/replacement.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { ApiError } from '#shared/http/errors.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import type { OrderQuery } from '#shared/orders/chainFacts/orderQuery.ts'
import type { ChainFacts } from '#shared/orders/verdict/verdictFacts.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { isOutsideMarket } from '#test/helpers/orders/isOutsideMarket.ts'
import { signOrderCreation } from '#test/helpers/orders/signOrderCreation.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { canTakeOver } from './canTakeOver.ts'
import { type PostOrderDeps, postOrder } from './postOrder.ts'

const network = networks.sepolia
const now = 1_800_000_000
const validTo = now + 600
const owner = devAccounts[0].address
const contractOwner: Address = '0x7000000000000000000000000000000000000007'
const unknownHash = `0x${'ab'.repeat(32)}`
const fortune = { balance: 10n ** 18n, allowance: 10n ** 18n }
const rich: ChainFacts = {
  block: undefined,
  funds: fortune,
  hooksRan: true,
  isSigned: true,
  filledAmount: undefined,
  transfers: undefined,
  revertingHook: undefined,
}
const nothingStored: PlacementFacts = { duplicate: null, quote: null, namedQuote: null, fullAppData: null }
const bounds = { limitOrders: 10, openOrders: 1_000, unsignedOfClient: 50, unsignedOrders: 50_000 }
const refused: InsertOutcome = {
  ...{ inserted: false, stored: null, exceeded: null, replaced: null, quote: null, namedUntil: null },
}

const quote: NonNullable<PlacementFacts['quote']> = {
  id: 7,
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
  elapsedMs: null,
  createdAt: new Date(0),
  expiresAt: new Date(now * 1_000),
}

/** What the statement does that writes an order, with stored facts. */
const placeWith = (
  { duplicate, quote: matching, namedQuote }: PlacementFacts,
  order: NewOrder,
  { maxGas }: Pricing,
): { outcome: InsertOutcome; row?: NewOrder } => {
  const signsFee = order.feeAmount > 0n
  const found = signsFee ? namedQuote : matching
  const quote = found && { quoteId: found.id, gasAmount: found.gasAmount }
  const outcome = { ...refused, quote, namedUntil: namedQuote?.expiresAt ?? null }
  if (duplicate && !canTakeOver(duplicate, order.signingScheme)) return { outcome: { ...outcome, stored: duplicate } }
  if (found && found.gasAmount > maxGas) return { outcome }
  const isMarket = signsFee || (matching !== null && !isOutsideMarket(order, matching))
  const row = { ...order, class: isMarket ? 'market' : order.class, quoteId: found?.id ?? null }
  return { outcome: { ...outcome, inserted: true }, row }
}

/** Posts to a route whose deps answer at once, and says what they were asked. */
const post = async (body: unknown, changes: Partial<PostOrderDeps> = {}, headers: Record<string, string> = {}) => {
  let nowMs = now * 1_000
  const inserted: NewOrder[] = []
  const replacements: (Replacement | null)[] = []
  const asked: OrderQuery[] = []
  const waiting: Promise<unknown>[] = []
  const app = postOrder({
    network,
    domainSeparator: computeDomainSeparator(network.chainId, network.settlementContract),
    bannedUsers: new Set(),
    unsupportedTokens: new Set(),
    bounds,
    computeSubmitter: (client) => `0x${Buffer.from(client).toString('hex')}`,
    maxGas: 8_000_000n,
    minValiditySeconds: 60,
    recoverPublicKey,
    now: () => {
      nowMs += 40
      return nowMs
    },
    findOrderFacts: async (query) => {
      asked.push(query)
      return rich
    },
    checkTokenFaults: async () => undefined,
    findTokens: async () => () => ({ decimals: 18, symbol: 'WETH' }),
    selectPlacementFacts: async () => nothingStored,
    insertOrder: async (order, replacement, _, pricing) => {
      const facts = await (changes.selectPlacementFacts ?? (() => nothingStored))({ quoteId: null, ...order }, now)
      const { outcome, row } = placeWith(facts, order, pricing)
      if (row) inserted.push(row)
      if (row) replacements.push(replacement)
      return outcome
    },
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
  const { status, headers: answered } = response
  return { status, headers: answered, body: await response.json(), inserted, replacements, asked, waiting }
}

/** The amounts of `quote` as its response had them. */
const asOffered = { sellAmount: '499999999999999999', buyAmount: '999999999', feeAmount: '1' }
const quoted = (facts: Partial<PlacementFacts>): Partial<PostOrderDeps> => ({
  selectPlacementFacts: async () => ({ ...nothingStored, ...facts }),
})

describe('an order that signs a fee', () => {
  const expired = new Date(now * 1_000 - 1)
  const expiration = new Date(now * 1_000).toISOString()
  test.each<[string, object, Partial<PlacementFacts>, object]>([
    ['names no quote', { quoteId: null }, {}, { reason: 'noQuote', field: 'feeAmount', expected: '0', got: '1' }],
    ['names a quote that is not stored', {}, {}, { reason: 'unknownQuote', expected: '0', got: '1', quoteId: 7 }],
    [
      'names an expired quote',
      {},
      { namedQuote: { ...quote, expiresAt: expired } },
      { reason: 'expiredQuote', expected: '0', got: '1', expiration: expired.toISOString() },
    ],
    [
      'signs another fee than its quote',
      {},
      { namedQuote: { ...quote, feeAmount: 2n } },
      { reason: 'otherFee', field: 'feeAmount', expected: '2', got: '1', quoteId: 7, expiration },
    ],
    [
      'sells another amount than its quote',
      { sellAmount: '499999999999999998' },
      { namedQuote: quote },
      { reason: 'otherTerms', field: 'sellAmount', expected: '499999999999999999', got: '499999999999999998' },
    ],
    [
      'takes slippage off the amount of its quote',
      { buyAmount: '999999998' },
      { namedQuote: quote },
      { reason: 'otherTerms', field: 'buyAmount', expected: '999999999', got: '999999998' },
    ],
    ['is of another kind', { kind: 'buy' }, { namedQuote: quote }, { field: 'kind', expected: 'sell', got: 'buy' }],
    [
      'buys another token',
      {},
      { namedQuote: { ...quote, buyToken: contractOwner } },
      { field: 'buyToken', expected: contractOwner },
    ],
    [
      'names a quote that is older than its kept amounts',
      {},
      { namedQuote: { ...quote, offeredSellAmount: null } },
      { field: 'sellAmount' },
    ],
  ])('is refused when it %s', async (_, changes, facts, data) => {
    const { quoteId = 7, ...terms } = { quoteId: 7 as number | null, ...changes }
    const signed = await signOrderCreation({ validTo, ...asOffered, ...terms })
    const { status, body, inserted } = await post({ ...signed, quoteId }, quoted({ quote, ...facts }))
    expect([status, inserted]).toEqual([400, []])
    expect(body).toMatchObject({ errorType: 'NonZeroFee', data })
    const description = expect.stringContaining(quoteId === null ? 'without quoteId' : 'quote 7')
    expect(body).toMatchObject({ description })
  })

  test('is refused when its owner holds the sell amount alone', async () => {
    const signed = { ...(await signOrderCreation({ validTo, ...asOffered })), quoteId: 7 }
    const [available, required] = [499_999_999_999_999_999n, 500_000_000_000_000_000n]
    const data = { available: available.toString(), required: required.toString() }
    for (const [lacking, errorType] of [
      ['balance', 'InsufficientBalance'],
      ['allowance', 'InsufficientAllowance'],
    ] as const) {
      const findOrderFacts = async () => ({ ...rich, funds: { ...fortune, [lacking]: available } })
      const { body } = await post(signed, { ...quoted({ namedQuote: quote }), findOrderFacts })
      expect(body).toMatchObject({ errorType, data })
    }
  })

  test('is the same order when it is posted again after its quote expired', async () => {
    const signed = { ...(await signOrderCreation({ validTo, ...asOffered })), quoteId: 7 }
    const duplicate = { ...filledOrder, executedSellAmount: 0n, executedBuyAmount: 0n, executedFee: 0n, validTo }
    const namedQuote = { ...quote, expiresAt: expired }
    expect((await post(signed, quoted({ namedQuote, duplicate }))).body).toMatchObject({ errorType: 'DuplicatedOrder' })
  })
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
    const { status, body, inserted, asked } = await post(creation)
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
      },
    ])
    expect(asked).toEqual([
      {
        uid: body,
        digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        owner,
        sellToken: network.wrappedNative,
        preInteractions: [],
        contractSignature: undefined,
        transfers: [500_000_000_000_000_000n],
        maxGas: 8_000_000n,
        explainsHooks: false,
      },
    ])
  })

  test('an ethsign order', async () => {
    const { status, inserted } = await post(await signOrderCreation({ validTo }, 'ethsign'))
    expect([status, inserted[0]?.owner]).toEqual([201, owner])
  })

  test('the same order whatever the case of its addresses, with or without what has a default', async () => {
    const creation = await signOrderCreation({ validTo })
    const { body: expected } = await post(creation)
    const { from: _from, partiallyFillable: _p, sellTokenBalance: _s, buyTokenBalance: _b, ...terms } = creation
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
    const { body } = await post({ ...terms, sellToken: upper(creation.sellToken), receiver: upper(owner), extra: 1 })
    expect(body).toBe(expected)
  })

  test('v as 0 or 1 in the form that the settlement contract takes', async () => {
    const creation = await signOrderCreation({ validTo })
    const v = Number.parseInt(creation.signature.slice(-2), 16)
    const { inserted } = await post({ ...creation, signature: `${creation.signature.slice(0, -2)}0${v - 27}` })
    expect(inserted[0]?.signature).toBe(creation.signature)
  })

  test.each(['0x', owner])('a presign order with signature %s, without asking the chain', async (signature) => {
    const creation = await signOrderCreation({ validTo: 0xffffffff })
    const { status, inserted, asked } = await post({ ...creation, signingScheme: 'presign', signature })
    expect(status).toBe(201)
    expect(inserted).toMatchObject([{ owner, signature: '0x', signingScheme: 'presign' }])
    expect(asked).toEqual([])
  })

  test("an EIP-1271 order of a contract, which is called with the order's digest", async () => {
    const creation = await signOrderCreation({ validTo })
    const signature = '0x1234'
    const { status, body, asked } = await post({
      ...creation,
      from: contractOwner,
      signingScheme: 'eip1271',
      signature,
    })
    expect(status).toBe(201)
    expect(asked[0]).toMatchObject({
      owner: contractOwner,
      digest: String(body).slice(0, 66),
      contractSignature: signature,
    })
  })

  test('a missing receiver as the owner', async () => {
    const zero = `0x${'0'.repeat(40)}`
    const creation = await signOrderCreation({ validTo, receiver: zero })
    const { body: expected, inserted } = await post(creation)
    expect(inserted[0]?.receiver).toBeNull()
    expect((await post({ ...creation, receiver: null })).body).toBe(expected)
  })

  test('a partially fillable order of an owner who holds any part of it', async () => {
    const findOrderFacts = async () => ({ ...rich, funds: { balance: 1n, allowance: 1n } })
    const creation = await signOrderCreation({ validTo, partiallyFillable: true })
    expect((await post(creation, { findOrderFacts })).status).toBe(201)
  })

  test('a market order with the quote that it matches, though limit amount and app data differ', async () => {
    const creation = { ...(await signOrderCreation({ validTo, buyAmount: '990000000' })), quoteId: 7 }
    const { inserted } = await post(creation, { selectPlacementFacts: async () => ({ ...nothingStored, quote }) })
    expect(inserted).toMatchObject([{ class: 'market', quoteId: 7 }])
  })

  test('an order with unknown fields, and names them in a header', async () => {
    const creation = { ...(await signOrderCreation({ validTo })), partnerFeeBps: 5, 'quote id': 7 }
    const { status, headers } = await post(creation)
    expect([status, headers.get('X-Ignored-Fields')]).toEqual([201, 'partnerFeeBps, quote_id'])
  })

  test.each<[string, Partial<PlacementFacts>, string | null]>([
    ['counts for the order', { quote }, null],
    ['is not stored', {}, 'unknown'],
    ['has expired', { namedQuote: { ...quote, expiresAt: new Date(now * 1_000 - 1) } }, 'expired'],
    ['is for another amount', { namedQuote: quote }, 'mismatch'],
    ['is not stored while another one counts', { quote: { ...quote, id: 8 } }, 'unknown'],
  ])('an order whose quote %s, and says so in a header of the 201', async (_, facts, ignored) => {
    const creation = { ...(await signOrderCreation({ validTo })), quoteId: 7 }
    const selectPlacementFacts = async () => ({ ...nothingStored, ...facts })
    const { status, headers, body, inserted } = await post(creation, { selectPlacementFacts })
    expect([status, headers.get('X-Quote-Ignored')]).toEqual([201, ignored])
    expect(body).toBe(inserted[0]?.uid)
    const withoutQuote = await post({ ...creation, quoteId: undefined }, { selectPlacementFacts })
    expect(withoutQuote.headers.get('X-Quote-Ignored')).toBeNull()
  })

  test.each([
    ['a sell order', 'sell', 'eip712', false],
    ['a buy order', 'buy', 'ethsign', false],
    ['a partially fillable order', 'sell', 'eip712', true],
  ] as const)('%s that signs a live quote as it was returned, as a market order', async (_, kind, scheme, partial) => {
    const signed = await signOrderCreation({ validTo, kind, partiallyFillable: partial, ...asOffered }, scheme)
    const namedQuote = { ...quote, kind }
    const { status, headers, inserted } = await post({ ...signed, quoteId: 7 }, quoted({ namedQuote }))
    expect([status, headers.get('X-Quote-Ignored')]).toEqual([201, null])
    expect(inserted).toMatchObject([
      { class: 'market', quoteId: 7, feeAmount: 1n, sellAmount: 499_999_999_999_999_999n, buyAmount: 999_999_999n },
    ])
  })

  test.each([['presign', '0x'] as const, ['eip1271', '0x12'] as const])(
    'a %s order that signs a live quote as it was returned',
    async (signingScheme, signature) => {
      const signed = { ...(await signOrderCreation({ validTo, ...asOffered })), signingScheme, signature }
      const { status, inserted } = await post({ ...signed, quoteId: 7 }, quoted({ namedQuote: quote }))
      expect([status, inserted[0]?.feeAmount, inserted[0]?.class]).toEqual([201, 1n, 'market'])
    },
  )

  test('a buy order as market by its buy amount', async () => {
    const creation = { ...(await signOrderCreation({ validTo, kind: 'buy', sellAmount: '510000000000000000' })) }
    const { inserted } = await post(
      { ...creation, quoteId: 7 },
      { selectPlacementFacts: async () => ({ ...nothingStored, quote: { ...quote, kind: 'buy' } }) },
    )
    expect(inserted).toMatchObject([{ class: 'market' }])
  })

  test('and wakes the auction clock; a clock that does not respond changes nothing', async () => {
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

describe('what the document says', () => {
  test('its signer is the owner, with and without from', async () => {
    const creation = await signWith({ signer: owner })
    expect((await post(creation)).inserted[0]?.owner).toBe(owner)
    expect((await post({ ...creation, from: undefined })).inserted[0]?.owner).toBe(owner)
  })

  test.each(['presign', 'eip1271'])('its signer owns a %s order without from', async (signingScheme) => {
    const creation = { ...(await signWith({ signer: contractOwner })), from: undefined, signature: '0x', signingScheme }
    expect((await post(creation)).inserted[0]?.owner).toBe(contractOwner)
  })

  test('validFrom is kept', async () => {
    const { inserted } = await post(await signWith({ validFrom: validTo - 60 }))
    expect(inserted[0]?.validFrom).toBe(validTo - 60)
    expect((await post(await signWith({}))).inserted[0]?.validFrom).toBeNull()
  })

  test('its partners are kept with the order', async () => {
    const partnerFee = [
      { recipient: contractOwner, volumeBps: 20 },
      { recipient: contractOwner, surplusBps: 5000, maxVolumeBps: 50 },
    ]
    const { inserted } = await post(await signWith({ partnerFee }))
    expect(inserted[0]?.partnerFees).toEqual([
      { recipient: contractOwner, kind: 'volume', bps: 20, maxVolumeBps: null },
      { recipient: contractOwner, kind: 'surplus', bps: 5000, maxVolumeBps: 50 },
    ])
    expect((await post(await signWith({}))).inserted[0]?.partnerFees).toEqual([])
  })

  test('its affiliate code is kept with the order, in capitals', async () => {
    const { inserted } = await post(await signWith({ referrer: { code: 'friends' } }))
    expect(inserted[0]?.referrerCode).toBe('FRIENDS')
    expect((await post(await signWith({ referrer: { address: contractOwner } }))).inserted[0]?.referrerCode).toBeNull()
  })

  test('an order to be replaced is passed on with the insert', async () => {
    expect((await post(await signWith({ replacedOrder: { uid: oldUid } }))).replacements).toEqual([
      { uid: oldUid, now },
    ])
    expect((await post(await signWith({}))).replacements).toEqual([null])
  })

  test('a document that came as its hash counts, too', async () => {
    const metadata = { validFrom: now + 60, replacedOrder: { uid: oldUid }, signer: owner }
    const { appData, appDataHash, ...terms } = await signWith(metadata)
    const { inserted, replacements } = await post(
      { ...terms, appData: appDataHash },
      { selectPlacementFacts: async () => ({ ...nothingStored, fullAppData: appData }) },
    )
    expect(inserted).toMatchObject([{ validFrom: now + 60, fullAppData: null }])
    expect(replacements).toEqual([{ uid: oldUid, now }])
  })

  const poor: Partial<PostOrderDeps> = {
    findOrderFacts: async () => ({ ...rich, funds: { balance: undefined, allowance: 0n } }),
  }
  const flashloan = {
    liquidityProvider: contractOwner,
    protocolAdapter: contractOwner,
    receiver: owner,
    token: contractOwner,
    amount: '1',
  }
  test('funds that a wrapper may supply are not required of the owner', async () => {
    expect((await post(await signWith({ wrappers: [{ address: contractOwner, data: '0x' }] }), poor)).status).toBe(201)
  })

  describe('a flash loan', () => {
    const unfunded = { findOrderFacts: async () => ({ ...rich, funds: { ...fortune, balance: 1n } }) }
    const sellAmount = 500_000_000_000_000_000n
    const loan = { ...flashloan, token: network.wrappedNative, amount: `${sellAmount - 1n}` }

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

    test('approves nothing', async () => {
      const unapproved = { findOrderFacts: async () => ({ ...rich, funds: { ...fortune, allowance: 0n } }) }
      const { body } = await post(await signWith({ flashloan: loan }), unapproved)
      expect(body).toMatchObject({ errorType: 'InsufficientAllowance' })
    })
  })

  const hooks = { pre: [hook], post: [{ ...hook, callData: '0x34' }] }

  test.each(['pre', 'post'] as const)('%s-hooks that bring nothing', async (phase) => {
    expect((await post(await signWith({ hooks: { [phase]: [hook] } }), poor)).status).toBe(400)
  })

  test('pre-hooks pass when the node could not run them', async () => {
    const findOrderFacts = async () => ({ ...rich, funds: { ...fortune, balance: 0n }, hooksRan: false })
    expect((await post(await signWith({ hooks }), { findOrderFacts })).status).toBe(201)
  })

  test.each(['as it is', 'as its hash'])(
    'hooks become one call of the trampoline for each phase: sent %s',
    async (form) => {
      const creation = await signWith({ hooks })
      const { appDataHash, ...terms } = creation
      const { asked, inserted } = await post(form === 'as it is' ? creation : { ...terms, appData: appDataHash }, {
        selectPlacementFacts: async () => ({ ...nothingStored, fullAppData: creation.appData }),
      })
      const [order] = inserted
      const found = [order?.preInteractions, order?.postInteractions].map((calls = []) => {
        expect(calls).toMatchObject([{ target: network.hooksTrampoline, value: '0' }])
        return readHooks(calls)
      })
      const gasLimit = 100_000n
      expect(found).toEqual([[{ ...hook, gasLimit }], [{ ...hook, gasLimit, callData: '0x34' }]])
      expect(asked[0]?.preInteractions).toEqual(order?.preInteractions)
    },
  )
})

describe('class', () => {
  const priced = (changes: Partial<typeof quote> = {}): Partial<PostOrderDeps> => ({
    selectPlacementFacts: async () => ({ ...nothingStored, quote: { ...quote, ...changes } }),
  })

  test('limit, with its quote, when it asks for more than the quote', async () => {
    const { inserted } = await post(await signOrderCreation({ validTo, buyAmount: '1000000001' }), priced())
    expect(inserted).toMatchObject([{ class: 'limit', quoteId: 7 }])
  })

  test('limit without a quote, so that leaving the quote out avoids no bound', async () => {
    const { inserted } = await post(await signOrderCreation({ validTo }))
    expect(inserted).toMatchObject([{ class: 'limit', quoteId: null }])
  })

  test('market within the quote', async () => {
    const { inserted } = await post(await signOrderCreation({ validTo }), priced())
    expect(inserted).toMatchObject([{ class: 'market', quoteId: 7 }])
  })

  test('a settlement that is just small enough', async () => {
    const creation = await signOrderCreation({ validTo, buyAmount: '1000000001' })
    expect((await post(creation, priced({ gasAmount: 8_000_000n }))).status).toBe(201)
  })
})

describe('an order with the UID of an existing row', () => {
  const creation = () => signOrderCreation({ validTo })
  const unsigned = { ...filledOrder, owner, executedSellAmount: 0n, signingScheme: 'presign', validTo } as const
  const stored = (changes: Partial<typeof filledOrder> = {}): Partial<PostOrderDeps> => ({
    selectPlacementFacts: async () => ({ ...nothingStored, duplicate: { ...unsigned, ...changes } }),
  })

  test.each(['eip712', 'ethsign'] as const)('takes over an unsigned row when it is signed by %s', async (scheme) => {
    const { status, inserted } = await post(await signOrderCreation({ validTo }, scheme), stored())
    expect([status, inserted[0]?.signingScheme, inserted[0]?.submittedBy]).toEqual([201, scheme, null])
  })

  test('takes over an unsigned row when the owner contract accepts its signature', async () => {
    const body = { ...(await creation()), from: contractOwner, signingScheme: 'eip1271', signature: '0x12' }
    expect((await post(body, stored())).status).toBe(201)
  })

  test('takes over a row whose placement a reorganisation undid, also unsigned', async () => {
    const reorged = stored({ signingScheme: 'eip1271', placementError: 'reorged' })
    expect((await post(await creation(), reorged)).status).toBe(201)
    const body = { ...(await creation()), signingScheme: 'presign', signature: '0x' }
    expect((await post(body, reorged)).status).toBe(201)
  })

  const kept: [string, Partial<typeof filledOrder>][] = [
    ['that is presigned', { presigned: true }],
    ['that its owner cancelled', { cancelledAt: new Date(0) }],
    ['that its owner invalidated on-chain', { invalidated: true }],
    ['that is signed', { signingScheme: 'eip712' }],
  ]
  test.each(kept)('is a duplicate of a row %s', async (_name, changes) => {
    const { status, body, inserted } = await post(await creation(), stored(changes))
    expect([status, inserted]).toEqual([400, []])
    expect(body).toMatchObject({ errorType: 'DuplicatedOrder', data: { uid: filledOrder.uid } })
  })

  test('is a duplicate of an unsigned row when it is unsigned itself', async () => {
    const body = { ...(await creation()), signingScheme: 'presign', signature: '0x' }
    expect(await post(body, stored())).toMatchObject({ status: 400, body: { errorType: 'DuplicatedOrder' } })
  })
})

test('an unsigned order is counted for the client that the gateway names', async () => {
  const body = { ...(await signOrderCreation({ validTo })), signingScheme: 'presign', signature: '0x' }
  const { inserted } = await post(body, {}, { 'X-Client-Key': 'abc' })
  expect(inserted).toMatchObject([{ submittedBy: '0x616263' }])
  const computeSubmitter: PostOrderDeps['computeSubmitter'] = (client) => {
    expect(client).toBe('')
    return '0x'
  }
  expect((await post(body, { computeSubmitter })).status).toBe(201)
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
    const { appData, appDataHash, ...terms } = creation
    const selectPlacementFacts = async () => ({ ...nothingStored, fullAppData: appData })
    const byHash = { ...terms, appData: appDataHash }
    expect(await post(byHash, { bannedUsers, selectPlacementFacts })).toMatchObject(refused)
  })

  test('that a hook calls is accepted: the recipients of a hook are unknown', async () => {
    expect((await post(await signWith({ hooks: { pre: [hook] } }), { bannedUsers })).status).toBe(201)
  })
})

describe('app data', () => {
  test('a known hash alone; the document is not stored again', async () => {
    const creation = await signOrderCreation({ validTo })
    const { appDataHash, ...terms } = creation
    const { status, body, inserted } = await post(
      { ...terms, appData: appDataHash },
      { selectPlacementFacts: async () => ({ ...nothingStored, fullAppData: '{}' }) },
    )
    expect([status, body]).toEqual([201, (await post(creation)).body])
    expect(inserted[0]).toMatchObject({ appDataHash, fullAppData: null })
  })

  test('a document alone', async () => {
    const { appDataHash, ...terms } = await signOrderCreation({ validTo, appData: '{"metadata":{},"a":"ü"}' })
    const { inserted } = await post(terms)
    expect(inserted[0]).toMatchObject({ appDataHash, fullAppData: '{"metadata":{},"a":"ü"}' })
  })

  test('the zero hash is the empty document', async () => {
    const { appDataHash: _, signature: __, ...terms } = await signOrderCreation({ validTo })
    const zeroHash = `0x${'0'.repeat(64)}`
    const { inserted } = await post({ ...terms, signingScheme: 'presign', signature: '0x', appData: zeroHash })
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
    status?: number
    errorType: string
    data?: unknown
  }
  const duplicate: PlacementFacts['duplicate'] = {
    ...filledOrder,
    createdAt: new Date(0),
    executedSellAmount: 0n,
    executedBuyAmount: 0n,
  }
  const withFacts = (facts: Partial<ChainFacts>): Partial<PostOrderDeps> => ({
    findOrderFacts: async () => ({ ...rich, ...facts }),
  })
  const half = '500000000000000000'
  /** A document that came as its hash and is found with the other facts. */
  const byHash = (appData: string, changes: Record<string, unknown> = {}) => ({
    terms: { validTo, appData },
    changes: { ...changes, appData: keccak256(toBytes(appData)), appDataHash: undefined },
    deps: { selectPlacementFacts: async () => ({ ...nothingStored, fullAppData: appData }) },
  })
  const withExceeded = (exceeded: InsertOutcome['exceeded']) => ({
    insertOrder: async () => ({ ...refused, exceeded }),
  })
  /** An order that should take the place of one like this, which the database does not let it. */
  const replacing = (changes: Partial<NonNullable<InsertOutcome['replaced']>> | null) => {
    const open = { ...duplicate, uid: oldUid, owner, validTo, signingScheme: 'eip712', activeAuctionId: null } as const
    const replaced = changes && { ...open, ...changes }
    return {
      terms: { validTo, appData: JSON.stringify({ metadata: { replacedOrder: { uid: oldUid } } }) },
      deps: { insertOrder: async () => ({ ...refused, replaced }) },
    }
  }

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
      changes: { appData: unknownHash, appDataHash: undefined, signingScheme: 'presign', signature: '0x' },
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
    { name: 'selling the native token', changes: { sellToken: nativeSentinel }, errorType: 'InvalidNativeSellToken' },
    {
      name: 'presign without from',
      changes: { from: undefined, signingScheme: 'presign', signature: '0x' },
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
      name: 'a contract that does not accept',
      changes: { signingScheme: 'eip1271' },
      deps: withFacts({ isSigned: false, funds: { ...fortune, balance: 0n } }),
      errorType: 'InvalidEip1271Signature',
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
      name: 'a part when the whole is asked for',
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
      name: 'an order that is there',
      deps: { selectPlacementFacts: async () => ({ ...nothingStored, duplicate }) },
      errorType: 'DuplicatedOrder',
      data: { uid: duplicate.uid, status: 'open', creationDate: '1970-01-01T00:00:00.000Z' },
    },
    {
      name: 'an order that came in between',
      deps: { insertOrder: async () => ({ ...refused, stored: duplicate }) },
      errorType: 'DuplicatedOrder',
      data: { uid: duplicate.uid, status: 'open', creationDate: '1970-01-01T00:00:00.000Z' },
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
      ...byHash(`{"metadata":{"signer":"${contractOwner}"}}`),
      errorType: 'AppdataFromMismatch',
      data: { from: owner, signer: contractOwner },
    },
    {
      name: 'a signer of a stored document that did not sign',
      ...byHash(`{"metadata":{"signer":"${contractOwner}"}}`, { from: undefined }),
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
      ...byHash(`{"metadata":{"validFrom":${validTo - 59}}}`),
      errorType: 'InvalidValidFrom',
    },
    {
      name: 'one limit order too many',
      deps: withExceeded({ field: 'limitOrders', limit: 10, open: 10 }),
      errorType: 'TooManyLimitOrders',
      data: { field: 'limitOrders', limit: 10, open: 10 },
    },
    {
      name: 'one order too many',
      deps: withExceeded({ field: 'openOrders', limit: 1_000, open: 1_000 }),
      errorType: 'TooManyLimitOrders',
      data: { field: 'openOrders', limit: 1_000, open: 1_000 },
    },
    {
      name: 'one unsigned order of a client too many',
      changes: { signingScheme: 'presign', signature: '0x' },
      deps: withExceeded({ field: 'unsignedOfClient', limit: 50, open: 50 }),
      errorType: 'TooManyUnsignedOrders',
      data: { field: 'unsignedOfClient', limit: 50, open: 50 },
    },
    {
      name: 'one unsigned order too many',
      changes: { signingScheme: 'presign', signature: '0x' },
      deps: withExceeded({ field: 'unsignedOrders', limit: 50_000, open: 50_000 }),
      errorType: 'TooManyUnsignedOrders',
      data: { field: 'unsignedOrders' },
    },
    {
      name: 'a quote with too much gas',
      deps: { selectPlacementFacts: async () => ({ ...nothingStored, quote: { ...quote, gasAmount: 8_000_001n } }) },
      errorType: 'TooMuchGas',
      data: { gas: '8000001', hookGas: '0', quotedGas: '8000001', max: '8000000' },
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
      changes: { signingScheme: 'presign', signature: '0x' },
      terms: { validTo, appData: JSON.stringify({ metadata: { replacedOrder: { uid: oldUid } } }) },
      errorType: 'InvalidSignature',
      data: { signingScheme: 'presign', replacedOrder: oldUid },
    },
    { name: 'a replacement of nothing', ...replacing(null), status: 404, errorType: 'OrderNotFound' },
    {
      name: "a replacement of another owner's order",
      ...replacing({ owner: contractOwner }),
      status: 401,
      errorType: 'WrongOwner',
      data: { signer: owner, expected: contractOwner },
    },
    {
      name: 'a replacement of a filled order',
      ...replacing({ executedSellAmount: filledOrder.sellAmount }),
      errorType: 'OrderFullyExecuted',
    },
    {
      name: 'a replacement of a cancelled order',
      ...replacing({ cancelledAt: new Date(0) }),
      errorType: 'AlreadyCancelled',
    },
    {
      name: 'a replacement of an expired order',
      ...replacing({ validTo: now - 1 }),
      errorType: 'OrderExpired',
    },
    {
      name: 'a replacement of an order that was signed on-chain',
      ...replacing({ signingScheme: 'eip1271' }),
      errorType: 'OnChainOrder',
    },
    {
      name: 'a replacement of an order that solvers bid on',
      ...replacing({ activeAuctionId: 77 }),
      errorType: 'OldOrderActivelyBidOn',
      data: { uid: oldUid, auctionId: 77 },
    },
    {
      name: 'a replacement whose obstacle is gone',
      ...replacing({}),
      status: 503,
      errorType: 'ServiceUnavailable',
      data: { retryable: true },
    },
    {
      name: 'a dead node',
      deps: { findOrderFacts: () => Promise.reject(new ApiError('ServiceUnavailable')) },
      status: 503,
      errorType: 'ServiceUnavailable',
    },
    {
      name: 'a dead database',
      deps: { selectPlacementFacts: () => Promise.reject(new Error('password=x')) },
      status: 500,
      errorType: 'InternalServerError',
    },
  ]
  test.each(cases)('$name → $errorType', async ({ terms, changes, deps, status = 400, errorType, data }) => {
    const creation = await signOrderCreation(terms ?? { validTo })
    const result = await post({ ...creation, ...changes }, deps)
    expect(result.status).toBe(status)
    expect(result.body).toMatchObject({ errorType, description: expect.any(String), ...(data ? { data } : {}) })
    expect(result.inserted).toEqual([])
    expect(result.waiting).toEqual([])
    expect(JSON.stringify(result.body)).not.toContain('password')
  })

  test.each([['{'], ['null'], ['[]'], ['"x"'], ['']])('the body %s → InvalidParameter', async (text) => {
    const { status, body, inserted } = await post(text)
    expect([status, inserted]).toEqual([400, []])
    expect(body).toMatchObject({ errorType: 'InvalidParameter' })
  })
})

test('an error about missing funds states them in token units, and in atoms for an unknown token', async () => {
  const creation = await signOrderCreation({ validTo })
  const findOrderFacts = async () => ({ ...rich, funds: { ...fortune, allowance: 0n } })
  const named = await post(creation, { findOrderFacts })
  expect(named.body).toMatchObject({ description: "the vault relayer's allowance is 0 of 0.5 WETH" })
  const unnamed = await post(creation, { findOrderFacts, findTokens: () => Promise.reject(new Error('away')) })
  expect(unnamed.body).toMatchObject({
    errorType: 'InsufficientAllowance',
    description: `the vault relayer's allowance is 0 of 500000000000000000 atoms of ${network.wrappedNative}`,
    data: { available: '0', required: '500000000000000000', token: network.wrappedNative },
  })
})

test('cheap checks come first: a rejected order takes no round trip', async () => {
  const never = () => Promise.reject(new Error('asked'))
  const creation = await signOrderCreation({ validTo })
  const { body } = await post(
    { ...creation, from: contractOwner },
    { findOrderFacts: never, checkTokenFaults: never, selectPlacementFacts: never, insertOrder: never },
  )
  expect(body).toMatchObject({ errorType: 'InvalidSignature' })
})

test('one statement checks the stored facts and writes the order: nothing is read before it', async () => {
  const selectPlacementFacts = () => Promise.reject(new Error('read'))
  const insertOrder = async () => ({ ...refused, inserted: true })
  expect((await post(await signOrderCreation({ validTo }), { selectPlacementFacts, insertOrder })).status).toBe(201)
})

describe('errors of stored facts precede', () => {
  const duplicate = { ...filledOrder, executedSellAmount: 0n, executedBuyAmount: 0n }
  const facts = { selectPlacementFacts: async () => ({ ...nothingStored, duplicate, quote }) }
  const insertOrder = () => Promise.reject(new Error('inserted'))
  const unsupported = new ApiError('UnsupportedToken', { data: { field: 'buyToken', reason: 'losesInTransfer' } })

  test.each<[string, Partial<PostOrderDeps>, object]>([
    ['missing funds', { findOrderFacts: async () => ({ ...rich, funds: { ...fortune, balance: 0n } }) }, {}],
    ['a token that loses amounts', { checkTokenFaults: () => Promise.reject(unsupported) }, {}],
    ['hooks with too much gas', { maxGas: 0n }, { signingScheme: 'presign', signature: '0x' }],
  ])('%s', async (_, deps, changes) => {
    const creation = { ...(await signWith({ hooks: { pre: [hook] } })), ...changes }
    const { body } = await post(creation, { ...deps, ...facts, insertOrder })
    expect(body).toMatchObject({ errorType: 'DuplicatedOrder', data: { uid: duplicate.uid } })
  })

  test('nothing else: hooks with too much gas are refused with the gas of the quote', async () => {
    const creation = { ...(await signWith({ hooks: { pre: [hook] } })), signingScheme: 'presign', signature: '0x' }
    const stored = { selectPlacementFacts: async () => ({ ...nothingStored, quote: { ...quote, gasAmount: 5n } }) }
    const { body } = await post(creation, { maxGas: 0n, ...stored, insertOrder })
    expect(body).toMatchObject({ errorType: 'TooMuchGas', data: { quotedGas: '5', max: '0' } })
  })
})

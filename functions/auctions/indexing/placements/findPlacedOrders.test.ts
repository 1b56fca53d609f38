import { eq } from 'drizzle-orm'
import { encodeAbiParameters, encodeFunctionData, type Hex, keccak256, stringToHex, toEventSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { selectCandidates } from '#schema/queries/auctions/selectCandidates.ts'
import { selectAccountOrders } from '#schema/queries/orders/accountOrders.ts'
import { insertOrder, selectOrder } from '#schema/queries/orders/orders.ts'
import { selectTotalSurplus } from '#schema/queries/settlements/totalSurplus.ts'
import { selectTrades } from '#schema/queries/settlements/trades.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { appData } from '#schema/tables/orders/appData.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { quotes } from '#schema/tables/quotes/quotes.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { networks } from '#shared/networks.ts'
import { toOrderResponse } from '#shared/orders/orderResponse.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import {
  buildEthFlowOrder,
  createEthFlowOrder,
  digestOfEthFlow,
  type EthFlowOrder,
  encodeEthFlowSettlement,
  ethFlowAbi,
  invalidateEthFlowOrder,
  toSignedOrder,
  uidOfEthFlow,
} from '#test/helpers/chain/ethFlow.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { deployEthFlow } from '#tools/stack/chain/contracts/deployEthFlow.ts'
import { readCompiledContract } from '#tools/stack/chain/contracts/readCompiledContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { createIndexState, indexChain } from '../indexChain.ts'
import type { IndexingDeps } from '../indexingDeps.ts'
import { findPlacedOrders } from './findPlacedOrders.ts'
import { onchainOrdersAbi } from './onchainOrdersAbi.ts'
import type { Placement } from './readPlacement.ts'

const network = networks.sepolia
const { chainId, ethFlow } = network
const [user, stranger] = [devAccounts[0].address, devAccounts[1].address]
const emitter = `0x${'e1'.repeat(20)}` as const

let chain: SettlementChain
let local: TestDatabase
let startBlock: number
let state = createIndexState()
let count = 0n

beforeAll(async () => {
  ;[chain, local] = await Promise.all([startSettlementChain(), startTestDatabase()])
  await deployEthFlow(chain.chain)
  await chain.chain.setCode({ address: emitter, bytecode: readCompiledContract('LogEmitter').runtimeCode })
})

afterAll(async () => {
  await chain?.stop()
  await local?.close()
})

beforeEach(async () => {
  await emptyDatabase(local.database)
  startBlock = Number(await chain.client.getBlockNumber()) + 1
  await chain.mine(1)
  state = createIndexState()
})

const deps = (changes: Partial<IndexingDeps> = {}): IndexingDeps => ({
  network,
  database: local.database,
  chain: chain.client,
  nodes: [chain.client],
  log: () => undefined,
  now: Date.now,
  startBlock,
  reindexFrom: undefined,
  unsupportedTokens: new Set(),
  onchainOrderContracts: [ethFlow, emitter],
  ...changes,
})
const index = (changes?: Partial<IndexingDeps>) => indexChain(deps(changes), state)

const build = (changes: Partial<EthFlowOrder> = {}): EthFlowOrder =>
  buildEthFlowOrder({ buyToken: chain.tokens.COW.address, receiver: user, buyAmount: ++count, ...changes })
const place = async (changes: Partial<EthFlowOrder> = {}): Promise<EthFlowOrder> => {
  const order = build(changes)
  await createEthFlowOrder(chain.chain, user, order)
  return order
}
const find = async (order: EthFlowOrder) => {
  const found = await selectOrder(local.database, chainId, uidOfEthFlow(order))
  if (!found) throw new Error('no order')
  return found
}
const readNow = async () => Number((await chain.client.getBlock()).timestamp)
const findCandidates = async (now?: number) =>
  (await selectCandidates(local.database, chainId, now ?? (await readNow()), 0)).candidates.map(
    ({ order }) => order.uid,
  )
const labelsOf = async (order: EthFlowOrder) =>
  (
    await local.database
      .select({ label: orderEvents.label })
      .from(orderEvents)
      .where(eq(orderEvents.orderUid, uidOfEthFlow(order)))
      .orderBy(orderEvents.id)
  ).map(({ label }) => label)

/** The emitter says that `user` had it place an order of its own. */
const emitPlacement = async (order: EthFlowOrder, { owner = emitter as Hex, scheme = 0 } = {}) => {
  const { appDataHash, ...terms } = toSignedOrder(order)
  const words = { kind: keccak256(stringToHex('sell')), balance: keccak256(stringToHex('erc20')) }
  const [event] = onchainOrdersAbi
  const data = encodeAbiParameters(event.inputs.slice(1), [
    {
      ...terms,
      appData: appDataHash,
      kind: words.kind,
      sellTokenBalance: words.balance,
      buyTokenBalance: words.balance,
    },
    { scheme, data: owner },
    '0x',
  ] as never)
  await emit(toEventSelector(event), data)
}
const emit = (signature: Hex, data: Hex) =>
  sendFrom(chain.chain, stranger, {
    to: emitter,
    data: encodeFunctionData({
      abi: readCompiledContract('LogEmitter').abi,
      functionName: 'emitLog',
      args: [signature, encodeAbiParameters([{ type: 'address' }], [user]), data],
    }),
  })

const insertQuote = async (changes: Partial<typeof quotes.$inferInsert> = {}) => {
  const values = {
    chainId,
    sellToken: network.wrappedNative,
    buyToken: chain.tokens.COW.address,
    sellAmount: 1_000n,
    buyAmount: 5n,
    kind: 'sell' as const,
    quoteKind: 'eip1271onchainorder' as const,
    gasAmount: 9n,
    gasPrice: 1n,
    sellTokenPrice: 1,
    feeAmount: 9n,
    solver: stranger,
    verified: true,
    metadata: {},
    expiresAt: new Date(4_000_000_000_000),
    ...changes,
  }
  const [row] = await local.database.insert(quotes).values(values).returning()
  return row?.id ?? 0
}

describe('an order that was placed on-chain', () => {
  test('is there with the terms that the contract signs, of the block’s time, valid as its user said', async () => {
    const order = await place()
    const { timestamp } = await chain.client.getBlock()
    await index()
    const found = await find(order)
    const { appDataHash, ...terms } = toSignedOrder(order)
    expect(found).toMatchObject({
      ...terms,
      appDataHash,
      owner: ethFlow,
      onchainUser: user,
      userValidTo: order.validTo,
      placementError: null,
      refundTransactionHash: null,
      signingScheme: 'eip1271',
      signature: '0x',
      class: 'limit',
      quoteId: null,
      quote: null,
      preInteractions: [{ target: ethFlow, value: '0', callData: '0x4c84c1c8' }],
      postInteractions: [],
      createdAt: new Date(Number(timestamp) * 1_000),
    })
    const response = toOrderResponse(found, Number(timestamp))
    expect(response).toMatchObject({
      status: 'open',
      onchainUser: user,
      onchainOrderData: { sender: user, placementError: null },
      ethflowData: { userValidTo: order.validTo, refundTxHash: null, isRefunded: false },
      validTo: 0xffffffff,
    })
    expect(toOrderResponse(found, order.validTo + 1).status).toBe('expired')
    expect(await labelsOf(order)).toEqual(['created'])
    expect(await findCandidates(order.validTo)).toEqual([found.uid])
    expect(await findCandidates(order.validTo + 1)).toEqual([])
  })

  test('is found under the contract and under its user, by pages; its trades and their surplus too', async () => {
    const [first, second] = [await place(), await place()]
    const settle = encodeEthFlowSettlement(first, first.sellAmount, 900n)
    await sendFrom(chain.chain, chain.solver, { to: network.settlementContract, data: settle })
    await index()
    const list = async (account: Hex, offset = 0, after?: Hex) =>
      (await selectAccountOrders(local.database, chainId, account, { offset, limit: 1, after })).map(({ uid }) => uid)
    const [older, newer] = [uidOfEthFlow(first), uidOfEthFlow(second)]
    for (const account of [user, ethFlow]) {
      expect([await list(account), await list(account, 1), await list(account, 2)]).toEqual([[newer], [older], []])
      expect(await list(account, 0, newer)).toEqual([older])
      const trades = await selectTrades(local.database, chainId, { owner: account }, { offset: 0, limit: 10 })
      expect(trades.map(({ trade }) => trade.orderUid)).toEqual([older])
    }
    expect(await selectTotalSurplus(local.database, chainId, user)).toBe(0n)
    expect(await list(stranger)).toEqual([])
    expect((await find(first)).executedBuyAmount).toBe(900n)
  })

  test('takes hooks, their order after wrapping, time and partners from the document that is known', async () => {
    const hook = { target: `0x${'33'.repeat(20)}`, callData: '0x01', gasLimit: '50000' }
    const document = JSON.stringify({
      metadata: {
        validFrom: 2_000_000_000,
        hooks: { pre: [hook], post: [hook] },
        partnerFee: { recipient: stranger, volumeBps: 5 },
        referrer: { code: 'FRIENDS' },
      },
    })
    const hash = keccak256(stringToHex(document))
    await local.database.insert(appData).values({ hash, fullAppData: document })
    const order = await place({ appData: hash })
    await index()
    const found = await find(order)
    expect(found.preInteractions.map(({ target }) => target)).toEqual([ethFlow, network.hooksTrampoline])
    for (const calls of [found.preInteractions, found.postInteractions]) {
      expect(readHooks(calls)).toEqual([{ ...hook, gasLimit: 50_000n }])
    }
    expect(found).toMatchObject({ validFrom: 2_000_000_000, fullAppData: document, partnerFees: [{ bps: 5 }] })
    const [row] = await local.database.select({ referrerCode: orders.referrerCode }).from(orders)
    expect(row).toEqual({ referrerCode: 'FRIENDS' })
    const response = toOrderResponse(found, await readNow())
    expect(response).toMatchObject({ appData: hash, appDataHash: hash, fullAppData: document, status: 'open' })
    expect(await findCandidates()).toEqual([])
    expect(await findCandidates(2_000_000_000)).toEqual([found.uid])
  })

  test('that came over the API before its block was read is placed on-chain as well', async () => {
    const order = await place()
    const { receiver, ...terms } = toSignedOrder(order)
    await insertOrder(local.database, {
      ...newOrder(1),
      ...terms,
      receiver,
      uid: uidOfEthFlow(order),
      owner: ethFlow,
      signingScheme: 'eip1271',
      signature: '0x',
    })
    await index()
    expect(await find(order)).toMatchObject({ onchainUser: user, userValidTo: order.validTo })
    expect((await find(order)).preInteractions).toHaveLength(1)
    expect(await labelsOf(order)).toEqual(['created', 'created'])
  })

  test('with an invalid document has no hooks', async () => {
    const hash = keccak256(stringToHex('["no object"]'))
    await local.database.insert(appData).values({ hash, fullAppData: '["no object"]' })
    const order = await place({ appData: hash })
    await index()
    expect(await find(order)).toMatchObject({ validFrom: null, postInteractions: [], placementError: null })
  })

  describe('names a quote', () => {
    test.each([0n, 9n])('that fits, when its fee of %i is not sold: a copy stays with the order', async (fee) => {
      const quoteId = await insertQuote({ sellAmount: 1_000n + fee })
      const order = await place({ quoteId: BigInt(quoteId) })
      await index()
      await local.database.delete(quotes)
      expect(await find(order)).toMatchObject({ quoteId, class: 'limit', quote: { quoteId, buyAmount: 5n } })
    })

    test('whose fee it signs: it is a market order with a copy of the quote, and its user pays the fee', async () => {
      const offered = { offeredSellAmount: 1_000n, offeredBuyAmount: count + 1n }
      const quoteId = await insertQuote({ sellAmount: 1_009n, feeAmount: 9n, ...offered })
      const order = await place({ quoteId: BigInt(quoteId), feeAmount: 9n })
      await index()
      const found = await find(order)
      expect(found).toMatchObject({ quoteId, class: 'market', feeAmount: 9n, placementError: null, quote: { quoteId } })
      expect(toOrderResponse(found, await readNow())).toMatchObject({
        ...{ status: 'open', class: 'market', feeAmount: '9', availableBalance: '1009' },
        onchainOrderData: { sender: user, placementError: null },
      })
      expect(await findCandidates()).toEqual([uidOfEthFlow(order)])
    })

    test.each<[string, Partial<typeof quotes.$inferInsert>]>([
      ['another fee', { feeAmount: 10n }],
      ['another amount', { offeredBuyAmount: 1n }],
      ['an end before the placement', { expiresAt: new Date(0) }],
    ])('with %s than the order that signs a fee: the order is shown with its error', async (_, changes) => {
      const offered = { offeredSellAmount: 1_000n, offeredBuyAmount: count + 1n }
      const quoteId = await insertQuote({ sellAmount: 1_009n, feeAmount: 9n, ...offered, ...changes })
      const order = await place({ quoteId: BigInt(quoteId), feeAmount: 9n })
      await index()
      expect(await find(order)).toMatchObject({ placementError: 'nonZeroFee', quote: null })
      expect(await findCandidates()).toEqual([])
    })

    test('that is not stored: the order states it, and is traded nevertheless', async () => {
      const order = await place({ quoteId: 4_711n })
      await index()
      expect(toOrderResponse(await find(order), await readNow())).toMatchObject({
        status: 'open',
        quoteId: null,
        onchainOrderData: { sender: user, placementError: 'QuoteNotFound' },
        availableBalance: order.sellAmount.toString(),
      })
      expect(await findCandidates()).toEqual([uidOfEthFlow(order)])
    })

    test.each<[string, () => Promise<number>]>([
      ['of another amount', () => insertQuote({ sellAmount: 999n })],
      ['of another token', () => insertQuote({ buyToken: chain.tokens.DAI.address })],
      ['of another kind', () => insertQuote({ kind: 'buy' })],
      ['that had expired', () => insertQuote({ expiresAt: new Date(0) })],
      ['of another chain', () => insertQuote({ chainId: 1 })],
      ['that does not exist', async () => 4_711],
    ])('%s: it is a limit order without one', async (_, insert) => {
      const order = await place({ quoteId: BigInt(await insert()) })
      await index()
      expect(await find(order)).toMatchObject({ quoteId: null, quote: null, class: 'limit' })
      expect(await findCandidates()).toHaveLength(1)
    })
  })

  const lone = { hash: keccak256(stringToHex('{}')), fullAppData: '{}' }
  test.each<[string, () => Partial<EthFlowOrder>, string]>([
    ['a fee', () => ({ feeAmount: 3n }), 'nonZeroFee'],
    ['a token that is not traded', () => ({ buyToken: chain.tokens.DAI.address }), 'preValidationError'],
    ['the token that it sells', () => ({ buyToken: network.wrappedNative }), 'other'],
    ['its own contract as the receiver', () => ({ receiver: ethFlow }), 'other'],
    [
      'a document without a loan and the settlement contract as the receiver',
      () => ({ receiver: network.settlementContract, appData: lone.hash }),
      'other',
    ],
  ])('with %s is shown with its error, and in no auction', async (_, changes, placementError) => {
    await local.database.insert(appData).values(lone)
    const order = await place(changes())
    await index({ unsupportedTokens: new Set([chain.tokens.DAI.address]) })
    const found = await find(order)
    expect(found).toMatchObject({ placementError, quote: null })
    expect(toOrderResponse(found, await readNow())).toMatchObject({
      status: 'open',
      onchainOrderData: { sender: user, placementError },
    })
    expect(await findCandidates()).toEqual([])
  })
})

describe('ending', () => {
  test('its user ends it: cancelled, in no auction, and the next order is not', async () => {
    const [first, second] = [await place(), await place()]
    await index()
    await invalidateEthFlowOrder(chain.chain, user, first)
    await index()
    expect(toOrderResponse(await find(first), await readNow())).toMatchObject({
      status: 'cancelled',
      invalidated: true,
    })
    expect(await labelsOf(first)).toEqual(['created', 'cancelled'])
    const [event] = await local.database.select().from(orderEvents).where(eq(orderEvents.label, 'cancelled'))
    expect(event?.data).toEqual({ by: ethFlow })
    expect(await findCandidates()).toEqual([uidOfEthFlow(second)])
  })

  test('it is paid back after it expired: the refund shows, the status stays', async () => {
    const order = await place({ validTo: (await readNow()) + 30 })
    await chain.chain.setNextBlockTimestamp({ timestamp: BigInt(order.validTo + 1) })
    await invalidateEthFlowOrder(chain.chain, stranger, order)
    const { transactions } = await chain.client.getBlock()
    await index()
    const found = await find(order)
    expect(found.refundTransactionHash).toBe(transactions[0])
    expect(toOrderResponse(found, await readNow())).toMatchObject({
      status: 'expired',
      ethflowData: { refundTxHash: transactions[0], isRefunded: true },
    })
    expect(await findCandidates(0)).toEqual([])
  })

  test('a contract ends only what it owns or placed', async () => {
    const order = await place()
    await index()
    const { version } = await find(order)
    const uid = encodeAbiParameters([{ type: 'bytes' }], [uidOfEthFlow(order)])
    await emit(toEventSelector('OrderInvalidation(bytes)'), uid)
    await emit(toEventSelector('OrderRefund(bytes,address)'), uid)
    await index()
    expect(await find(order)).toMatchObject({ invalidated: false, refundTransactionHash: null, version })
  })
})

describe('another contract', () => {
  test('places an order of its own, which ends as it is signed', async () => {
    const order = build()
    await emitPlacement(order)
    await index()
    const [found] = await selectAccountOrders(local.database, chainId, user, { offset: 0, limit: 10 })
    expect(found).toMatchObject({ owner: emitter, onchainUser: user, userValidTo: null, preInteractions: [] })
    if (!found) throw new Error('no order')
    const response = toOrderResponse(found, await readNow())
    expect(response.onchainOrderData).toEqual({ sender: user, placementError: null })
    expect(response).not.toHaveProperty('ethflowData')
    await emit(toEventSelector('OrderInvalidation(bytes)'), encodeAbiParameters([{ type: 'bytes' }], [found.uid]))
    await index()
    expect(await findCandidates()).toEqual([])
  })

  test('places an order for the account that called it, which that account has yet to sign', async () => {
    await emitPlacement(build(), { scheme: 1 })
    await index()
    const [found] = await selectAccountOrders(local.database, chainId, user, { offset: 0, limit: 10 })
    if (!found) throw new Error('no order')
    expect(toOrderResponse(found, await readNow())).toMatchObject({ owner: user, status: 'presignaturePending' })
  })

  test('changes no order that another account placed or will place', async () => {
    const order = build()
    await emitPlacement(order, { owner: ethFlow })
    await index()
    expect(await findCandidates()).toEqual([])
    await createEthFlowOrder(chain.chain, user, order)
    await index()
    const before = await find(order)
    expect(before.userValidTo).toBe(order.validTo)
    await emitPlacement(order, { owner: ethFlow })
    await index()
    expect(await find(order)).toEqual(before)
  })

  test('emits garbage: nothing happens, and the events around it count', async () => {
    for (const data of ['0x', '0x12', `0x${'ff'.repeat(700)}`] as const) {
      await emit(toEventSelector(onchainOrdersAbi[0]), data)
      await emit(toEventSelector('Trade(address,address,address,uint256,uint256,uint256,bytes)'), data)
    }
    const order = await place()
    expect((await index()).caughtUp).toBe(true)
    expect(await local.database.select({ uid: orders.uid }).from(orders)).toEqual([{ uid: uidOfEthFlow(order) }])
  })
})

/** Sends the terms of an order as `presign`, in the name of `owner`, before they are on the chain. */
const squat = async (order: EthFlowOrder, owner: Hex = ethFlow) => {
  const { receiver, ...terms } = toSignedOrder(order)
  const uid = packOrderUid(digestOfEthFlow(order), owner, terms.validTo)
  const presign = { signingScheme: 'presign', signature: '0x', submittedBy: '0x01', admissionMs: 5 } as const
  await insertOrder(local.database, { ...newOrder(1), ...terms, ...presign, receiver, uid, owner })
  return uid
}

describe('an order that a stranger sent as presign first', () => {
  test('becomes that of its placement, scheme and signature included, and enters auctions', async () => {
    const order = build()
    await squat(order)
    await index()
    await createEthFlowOrder(chain.chain, user, order)
    await index()
    expect(await find(order)).toMatchObject({
      signingScheme: 'eip1271',
      signature: '0x',
      onchainUser: user,
      userValidTo: order.validTo,
      placementError: null,
      preInteractions: [{ target: ethFlow }],
    })
    const [row] = await local.database.select().from(orders)
    expect(row).toMatchObject({ submittedBy: null, admissionMs: null })
    expect(await labelsOf(order)).toEqual(['created', 'created'])
    expect(await findCandidates()).toEqual([uidOfEthFlow(order)])
    const before = await find(order)
    await index()
    expect(await find(order)).toEqual(before)
  })

  test('retains its quote from the placement', async () => {
    const squatted = build()
    await squat(squatted)
    const sell = { sellToken: network.wrappedNative, buyToken: squatted.buyToken, sellAmount: squatted.sellAmount }
    const quoteId = await insertQuote({ ...sell, buyAmount: squatted.buyAmount })
    await createEthFlowOrder(chain.chain, user, { ...squatted, quoteId: BigInt(quoteId) })
    await index()
    expect(await find(squatted)).toMatchObject({ quoteId, quote: { quoteId } })
  })

  test('is out of auctions while a reorganisation undoes the placement; placed or sent again it is in them', async () => {
    const order = build()
    await squat(order)
    await index()
    await createEthFlowOrder(chain.chain, user, order)
    await index()
    await chain.reorganise(1)
    await index()
    expect(await find(order)).toMatchObject({ signingScheme: 'eip1271', placementError: 'reorged' })
    expect(await findCandidates()).toEqual([])
    await squat(order)
    expect(await find(order)).toMatchObject({ signingScheme: 'presign', onchainUser: null, placementError: null })
    await chain.mine(3)
    await createEthFlowOrder(chain.chain, user, { ...order, validTo: order.validTo - 5 })
    await index()
    expect(await find(order)).toMatchObject({ signingScheme: 'eip1271', onchainUser: user, placementError: null })
    expect(await findCandidates()).toEqual([uidOfEthFlow(order)])
  })

  test('becomes that of a placement by its owner, who has yet to sign it, once', async () => {
    const order = build()
    const uid = await squat(order, user)
    await emitPlacement(order, { scheme: 1 })
    await index()
    const stored = await selectOrder(local.database, chainId, uid)
    expect(stored).toMatchObject({ signingScheme: 'presign', onchainUser: user })
  })

  test('on another network stays as it is', async () => {
    const order = build()
    await squat(order)
    await local.database.update(orders).set({ chainId: 1 })
    await createEthFlowOrder(chain.chain, user, order)
    await index()
    const rows = await local.database.select().from(orders).orderBy(orders.chainId)
    expect(rows).toMatchObject([
      { chainId: 1, signingScheme: 'presign' },
      { chainId, signingScheme: 'eip1271' },
    ])
  })
})

test('hooks of strangers refuse no order without any, however many come first', async () => {
  const hook = { target: stranger, callData: `0x${'00'.repeat(3_900)}`, gasLimit: '50000' }
  const document = JSON.stringify({ metadata: { hooks: { pre: [hook] } } })
  const hash = keccak256(stringToHex(document))
  await local.database.insert(appData).values({ hash, fullAppData: document })
  const placementOf = (order: EthFlowOrder, logIndex: number): Placement => ({
    ...{ blockNumber: startBlock, logIndex, contract: ethFlow, sender: user, owner: ethFlow },
    ...{ uid: uidOfEthFlow(order), order: toSignedOrder(order), signingScheme: 'eip1271', signature: '0x' },
    ...{ quoteId: null, userValidTo: order.validTo },
  })
  const placements = [...Array.from({ length: 2_200 }, () => build({ appData: hash })), build()].map(placementOf)
  const blocks = [{ number: startBlock, timestamp: new Date() }]
  const { placedOrders } = await findPlacedOrders(deps(), { placements, cancellations: [], refunds: [] }, blocks)
  const refused = placedOrders.flatMap(({ placementError }, i) => (placementError === null ? [] : [i]))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused).not.toContain(2_200)
})

test('a block full of orders is one step', async () => {
  const built = Array.from({ length: 150 }, () => build())
  await chain.chain.setAutomine(false)
  for (const order of built) {
    const data = encodeFunctionData({ abi: ethFlowAbi, functionName: 'createOrder', args: [order] })
    await chain.chain.sendTransaction({ account: user, to: ethFlow, value: order.sellAmount, data })
  }
  await chain.mine(1)
  await chain.chain.setAutomine(true)
  await index()
  expect(new Set(await findCandidates())).toEqual(new Set(built.map(uidOfEthFlow)))
})

describe('a reorganisation', () => {
  test('undoes a placement: the order stays, says so and is in no auction; placed again it is as before', async () => {
    await index()
    const order = await place()
    await index()
    expect(await findCandidates()).toHaveLength(1)
    await chain.reorganise(1)
    await index()
    const undone = await find(order)
    expect(toOrderResponse(undone, await readNow())).toMatchObject({
      status: 'open',
      onchainOrderData: { sender: user, placementError: 'reorged' },
      ethflowData: { userValidTo: order.validTo },
    })
    expect(await findCandidates()).toEqual([])
    expect(await labelsOf(order)).toEqual(['undone'])

    await chain.mine(3)
    const again = { ...order, validTo: order.validTo - 5 }
    await createEthFlowOrder(chain.chain, user, again)
    const { timestamp } = await chain.client.getBlock()
    await index()
    const restored = await find(order)
    expect(restored).toMatchObject({
      placementError: null,
      userValidTo: again.validTo,
      createdAt: new Date(Number(timestamp) * 1_000),
    })
    expect(restored.version).toBeGreaterThan(undone.version)
    expect(await labelsOf(order)).toEqual(['undone', 'created'])
    expect(await findCandidates()).toHaveLength(1)
  })

  test('undoes an invalidation', async () => {
    const order = await place()
    await index()
    await invalidateEthFlowOrder(chain.chain, user, order)
    await index()
    await chain.reorganise(1)
    await index()
    expect(await find(order)).toMatchObject({ invalidated: false, placementError: null })
    expect(await labelsOf(order)).toEqual(['created', 'undone'])
  })
})

test('the same blocks read twice change nothing', async () => {
  const order = await place()
  await invalidateEthFlowOrder(chain.chain, user, order)
  await index()
  const before = await find(order)
  await local.database.delete(blocks)
  state = createIndexState()
  await index()
  expect(await find(order)).toEqual(before)
  expect(await labelsOf(order)).toEqual(['created', 'cancelled'])
})
